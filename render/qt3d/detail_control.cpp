#include "render/qt3d/detail_control.h"

#include <algorithm>
#include <cmath>

namespace farfield::qt3d {
namespace {

constexpr double kMostRestingMs = 300;
/// The coarsest level with all lines.
constexpr int kAllLines = 2;
// The cost of an empty picture, in indices: clearing, reading back, the engine's own work.
constexpr double kEmptyWork = 8000;
// Guesses: a software driver on one current processor, without smooth edges, and a graphics card.
constexpr double kSoftwareMsPerIndex = 1.6e-3, kCardMsPerIndex = 1e-5;
// Relative costs of the levels with the software driver; those of another driver are soon measured.
constexpr std::array<double, DetailControl::kLevels> kCosts{2.5, 1, 0.55, 0.28, 0.14, 0.07, 0.035, 0.018};
// More detail only after a while: a picture that alternates between coarse and fine is worse than a coarse
// one.
constexpr int kEasyPictures = 8;
constexpr double kTooLong = 1.4, kEasy = 0.7;  // times the target
// Pictures of so many times the work, or of so much less, say little of each other's times.
constexpr double kOtherWork = 1.5;

}  // namespace

Detail DetailControl::detailOf(int level) {
  switch (level) {
    case 0:
      return {};
    case 1:
      return {.smooth = false};
    case kAllLines:
      return {.smooth = false, .scale = 0.5};
    default:
      return {.smooth = false, .scale = 0.5, .part = std::pow(0.5, level - kAllLines)};
  }
}

bool DetailControl::isMuchOtherWork(std::size_t work) const {
  const auto [less, more] = std::minmax({kEmptyWork + double(work), kEmptyWork + double(m_work)});
  return more > kOtherWork * less;
}

double DetailControl::expectedMs(int level) const {
  const auto costOf = [](int at) { return kCosts[std::size_t(at)]; };
  // From the nearest measured level, the coarser of two equally near; from those of much other work only where there are no others:
  // a line takes many times as long as a triangle of a texture, so numbers of indices say little.
  int nearest = -1;
  bool nearestIsOther = true;
  for (int other = 0; other < kLevels; ++other) {
    const auto& known = m_measured[std::size_t(other)];
    if (!known) continue;
    const bool isOther = isMuchOtherWork(known->work);
    if (nearest < 0 || (nearestIsOther && !isOther) ||
        (nearestIsOther == isOther && std::abs(other - level) <= std::abs(nearest - level))) {
      nearest = other;
      nearestIsOther = isOther;
    }
  }
  const double work = kEmptyWork + double(m_work);
  if (nearest < 0)
    return (m_software ? kSoftwareMsPerIndex : kCardMsPerIndex) * work * costOf(level) / costOf(1);
  const Measured& known = *m_measured[std::size_t(nearest)];
  return known.milliseconds * work / (kEmptyWork + double(known.work)) * costOf(level) / costOf(nearest);
}

std::optional<int> DetailControl::restingLevel() const {
  for (int level = 0; level < m_moving; ++level)
    if (expectedMs(level) <= std::min(kMostRestingMs, m_still)) return level;
  return std::nullopt;
}

int DetailControl::changedLevel() const {
  for (int level = 0; level < kAllLines; ++level)
    if (expectedMs(level) <= std::min(kMostRestingMs, m_still)) return level;
  return kAllLines;
}

// All lines are shown in any case.
int DetailControl::stillLevel(double patience) const {
  for (int level = 0; level < kAllLines; ++level)
    if (expectedMs(level) <= patience * m_still) return level;
  return kAllLines;
}

double DetailControl::patienceForMore(int level) const {
  double least = level > kAllLines ? 1 : kMostPatience;
  for (int finer = 0; finer < std::min(level, kAllLines); ++finer)
    least = std::min(least, expectedMs(finer) / m_still);
  return std::max(1.0, least);
}

void DetailControl::record(int level, double milliseconds) {
  std::optional<Measured>& last = m_last[std::size_t(level)];
  // The quicker of the last two pictures of about the same work counts: one that had to wait, for another program perhaps, says
  // nothing about the next.
  double counts = milliseconds;
  if (last && !isMuchOtherWork(last->work))
    counts = std::min(counts,
                      last->milliseconds * (kEmptyWork + double(m_work)) / (kEmptyWork + double(last->work)));
  last = Measured{milliseconds, m_work};
  m_measured[std::size_t(level)] = Measured{counts, m_work};
}

void DetailControl::recordAgain(int level, double milliseconds) {
  const std::optional<Measured> before = m_measured[std::size_t(level)];
  record(level, milliseconds);
  if (!before || isMuchOtherWork(before->work) || before->milliseconds <= 0) return;
  const double quicker = m_measured[std::size_t(level)]->milliseconds / before->milliseconds;
  if (quicker >= 1) return;
  for (int finer = 0; finer < level; ++finer)
    for (auto* const known : {&m_measured[std::size_t(finer)], &m_last[std::size_t(finer)]})
      if (*known) (*known)->milliseconds *= quicker;
}

int DetailControl::choose() {
  const double target = m_target * m_share;
  if (expectedMs(m_moving) > kTooLong * target) {
    while (m_moving + 1 < kLevels && expectedMs(m_moving) > target) ++m_moving;
    m_easy = 0;
  } else if (m_moving > 0 && expectedMs(m_moving - 1) < kEasy * target) {
    if (++m_easy >= kEasyPictures) {
      --m_moving;
      m_easy = 0;
    }
  } else {
    m_easy = 0;
  }
  return m_moving;
}

}  // namespace farfield::qt3d
