#include "render/qt3d/detail_control.h"

#include <algorithm>
#include <cmath>

namespace farfield::qt3d {
namespace {

constexpr double kMostStillMs = 1500;
// Full detail costs about so much more than the level below it, where it has not been tried.
constexpr double kSmoothCost = 2.5;

}  // namespace

Detail DetailControl::detailOf(int level) {
  switch (level) {
    case 0:
      return {};
    case 1:
      return {.smooth = false};
    case 2:
      return {.smooth = false, .scale = 0.5};
    default:
      return {.smooth = false, .scale = 0.5, .part = std::pow(0.5, level - 2)};
  }
}

int DetailControl::stillLevel() const {
  if (m_times[0]) return *m_times[0] > kMostStillMs ? 1 : 0;
  return m_times[1] && *m_times[1] * kSmoothCost > kMostStillMs ? 1 : 0;
}

void DetailControl::record(int level, double milliseconds) {
  m_times[std::size_t(level)] = milliseconds;
  if (level != m_moving) return;
  if (milliseconds > 1.4 * m_target && m_moving + 1 < kLevels) {
    ++m_moving;
    m_easy = 0;
  } else if (milliseconds < 0.35 * m_target && m_moving > 0) {
    // Only after a while: a picture that is sometimes coarse and sometimes fine is worse than a coarse one.
    if (++m_easy < 8) return;
    --m_moving;
    m_easy = 0;
  } else {
    m_easy = 0;
  }
}

void DetailControl::forget() {
  m_times.fill({});
}

}  // namespace farfield::qt3d
