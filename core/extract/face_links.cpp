#include "core/extract/face_links.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/base/temporary_file.h"

namespace farfield::extract {
namespace {

constexpr std::int64_t kSides = 4;
constexpr std::uint64_t kSidesAtATime =
    4096;  // that are written in one go, and between looks whether to go on
constexpr std::size_t kLooseAtATime = 1024;
/// There was not the time for it.
struct TimeIsUp {};

constexpr std::uint64_t kLeastBytes = 64 << 10, kMostBytes = 16 << 20;

}  // namespace

std::array<std::optional<FaceSide>, 4> FaceLinks::beyond(std::int64_t face) const {
  std::array<std::int64_t, kSides> numbers;
  m_file->readAt(m_at + static_cast<std::uint64_t>(face) * sizeof numbers,
                 std::as_writable_bytes(std::span(numbers)));
  std::array<std::optional<FaceSide>, 4> sides;
  for (std::size_t n = 0; n < sides.size(); ++n)
    if (const std::int64_t its = numbers[n] - 1; its >= 0)
      sides[n] = {its / 2 / kSides, static_cast<int>(its / 2 % kSides), its % 2 != 0};
  return sides;
}

std::uint64_t FaceLinker::bytesFor(std::int64_t faces) {
  return std::clamp(static_cast<std::uint64_t>(faces) * kSides * (sizeof(Side) + sizeof(Link)), kLeastBytes,
                    kMostBytes);
}

FaceLinker::FaceLinker(std::int64_t faces, std::uint64_t bytes, MemoryAccount& account,
                       const std::filesystem::path& folder)
    : m_faces(faces),
      m_bytes(bytes),
      m_account(account),
      m_folder(folder),
      m_sides(std::in_place, bytes / 2, account, folder),
      m_links(bytes / 2, account, folder) {}

void FaceLinker::add(std::int64_t number, const FaceCorners& corners) {
  const std::size_t count = corners[3] == corners[2] ? 3 : 4;
  const std::lock_guard lock(m_mutex);
  for (std::size_t n = 0; n < count; ++n) {
    const std::int64_t from = corners[n], to = corners[(n + 1) % count];
    if (from == to) continue;
    const std::int64_t place = number * kSides + static_cast<std::int64_t>(n);
    m_sides->add({std::min(from, to), std::max(from, to), 2 * place + (from < to ? 1 : 0)});
  }
}

/// Whether to go on.
struct FaceLinker::Looks {
  const std::stop_token& stop;
  const std::function<bool()>& isTimeUp;
  std::uint64_t seen = 0;
  void look() {
    if (++seen % kSidesAtATime != 0) return;
    if (stop.stop_requested()) throw Cancelled();
    if (isTimeUp && isTimeUp()) throw TimeIsUp();
  }
};

/// Links two that have the same ends, where no third has them.
template <class Its>
void FaceLinker::pairUp(RecordSorter<Its>& sides, Looks& looks,
                        const std::function<void(const Its&)>& alone) {
  std::array<Its, 2> first{};
  std::size_t alike = 0;
  const auto link = [&] {
    if (alike == 1) alone(first[0]);
    if (alike != 2) return;
    const std::int64_t turned = first[0].number % 2 == first[1].number % 2 ? 1 : 0;
    for (const std::size_t n : {0, 1})
      m_links.add({first[n].number / 2, first[1 - n].number / 2 * 2 + turned});
  };
  sides.forEach([&](const Its& side) {
    looks.look();
    if (alike > 0 && side.hasEndsOf(first[0])) {
      if (++alike == 2) first[1] = side;
      return;
    }
    link();
    first[0] = side;
    alike = 1;
  });
  link();
}

bool FaceLinker::linkByNodes(const std::stop_token& stop, const std::function<bool()>& isTimeUp) try {
  const std::lock_guard lock(m_mutex);
  Looks looks{stop, isTimeUp};
  std::vector<Side> part;
  const auto flush = [&] {
    if (part.empty()) return;
    if (!m_loose.isOpen()) m_loose = makeTemporaryFile(m_folder);
    m_loose.writeAt(static_cast<std::uint64_t>(m_looseSides) * sizeof(Side), std::as_bytes(std::span(part)));
    m_looseSides += static_cast<std::int64_t>(part.size());
    part.clear();
  };
  pairUp<Side>(*m_sides, looks, [&](const Side& side) {
    part.push_back(side);
    if (part.size() == kLooseAtATime) flush();
  });
  flush();
  m_sides.reset();  // its memory is for those that are placed
  m_placed.emplace(m_bytes / 2, m_account, m_folder);
  m_areLinked = true;
  return true;
} catch (const TimeIsUp&) {
  return false;
}

std::vector<FaceLinker::Side> FaceLinker::loose(std::int64_t first, std::int64_t count) const {
  std::vector<Side> sides(static_cast<std::size_t>(std::min(count, m_looseSides - first)));
  m_loose.readAt(static_cast<std::uint64_t>(first) * sizeof(Side), std::as_writable_bytes(std::span(sides)));
  return sides;
}

void FaceLinker::place(const Side& side, const Vec3& low, const Vec3& high) {
  // 0 and -0 are one place
  const auto at = [](const Vec3& point) { return std::array{point.x + 0.0, point.y + 0.0, point.z + 0.0}; };
  const std::array<double, 3> one = at(low), other = at(high);
  if (!isFinite(low) || !isFinite(high) || one == other) return;
  // the last binary digit says whether it goes from the lower node to the higher one, or now from the lower place
  const bool isSwapped = other < one;
  const std::lock_guard lock(m_mutex);
  m_placed->add({std::min(one, other), std::max(one, other), side.number ^ (isSwapped ? 1 : 0)});
}

std::shared_ptr<const FaceLinks> FaceLinker::finish(const std::stop_token& stop, std::shared_ptr<File> file,
                                                    const std::function<bool()>& isTimeUp) try {
  if (!m_areLinked && !linkByNodes(stop, isTimeUp)) return nullptr;
  const std::lock_guard lock(m_mutex);
  Looks looks{stop, isTimeUp};
  const auto look = [&] { looks.look(); };
  pairUp<PlacedSide>(*m_placed, looks, [](const PlacedSide&) {});
  auto made = std::make_shared<FaceLinks>();
  made->m_file = file;
  made->m_at = file->size();
  takeRoom(*file, static_cast<std::uint64_t>(m_faces * kSides) * sizeof(std::int64_t));
  std::vector<std::int64_t> part;
  std::uint64_t written = 0;
  const auto flush = [&] {
    file->writeAt(made->m_at + written * sizeof(std::int64_t), std::as_bytes(std::span(part)));
    written += part.size();
    part.clear();
  };
  const auto put = [&](std::int64_t number) {
    part.push_back(number);
    if (part.size() == kSidesAtATime) flush();
  };
  const auto fillUpTo = [&](std::int64_t place) {
    while (static_cast<std::int64_t>(written + part.size()) < place) {
      look();
      put(0);
    }
  };
  m_links.forEach([&](const Link& each) {
    fillUpTo(each.from);
    look();
    put(each.to + 1);
  });
  fillUpTo(m_faces * kSides);
  flush();
  return made;
} catch (const TimeIsUp&) {
  return nullptr;
}

}  // namespace farfield::extract
