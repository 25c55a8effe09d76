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
    : m_faces(faces), m_sides(bytes / 2, account, folder), m_links(bytes / 2, account, folder) {}

void FaceLinker::add(std::int64_t number, const FaceCorners& corners) {
  const std::size_t count = corners[3] == corners[2] ? 3 : 4;
  const std::lock_guard lock(m_mutex);
  for (std::size_t n = 0; n < count; ++n) {
    const std::int64_t from = corners[n], to = corners[(n + 1) % count];
    if (from == to) continue;
    const std::int64_t place = number * kSides + static_cast<std::int64_t>(n);
    m_sides.add({std::min(from, to), std::max(from, to), 2 * place + (from < to ? 1 : 0)});
  }
}

std::shared_ptr<const FaceLinks> FaceLinker::finish(const std::stop_token& stop, std::shared_ptr<File> file,
                                                    const std::function<bool()>& isTimeUp) try {
  std::uint64_t seen = 0;
  const auto look = [&] {
    if (++seen % kSidesAtATime != 0) return;
    if (stop.stop_requested()) throw Cancelled();
    if (isTimeUp && isTimeUp()) throw TimeIsUp();
  };
  std::array<Side, 2> first{};
  std::size_t alike = 0;
  const auto link = [&] {
    if (alike != 2) return;
    const std::int64_t turned = first[0].number % 2 == first[1].number % 2 ? 1 : 0;
    for (const std::size_t n : {0, 1})
      m_links.add({first[n].number / 2, first[1 - n].number / 2 * 2 + turned});
  };
  const std::lock_guard lock(m_mutex);
  m_sides.forEach([&](const Side& side) {
    look();
    if (alike > 0 && side.low == first[0].low && side.high == first[0].high) {
      if (++alike == 2) first[1] = side;
      return;
    }
    link();
    first[0] = side;
    alike = 1;
  });
  link();
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
