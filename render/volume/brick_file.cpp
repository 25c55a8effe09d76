#include "render/volume/brick_file.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::volume {

BrickFile::BrickFile(const std::filesystem::path& folder, const BrickFormat& format, std::uint64_t mostBytes)
    : m_brickBytes(kBrickValues * sizeOf(format.type)),
      m_places(std::max<std::size_t>(1, static_cast<std::size_t>(mostBytes / m_brickBytes))) {
  try {
    m_file = makeTemporaryFile(folder);
    m_works = true;
  } catch (const Error&) {
    // then bricks are made again
  }
}

bool BrickFile::get(std::int64_t number, Brick& out) {
  // under the mutex, so that no other brick is written there meanwhile; it is one read of a local file
  const std::lock_guard lock(m_mutex);
  const auto found = m_placeOf.find(number);
  if (!m_works || found == m_placeOf.end()) return false;
  try {
    m_file.readAt(found->second * m_brickBytes, {out.raw(), static_cast<std::size_t>(m_brickBytes)});
  } catch (const Error&) {
    m_works = false;
    return false;
  }
  const Index3& cells = out.cells();
  out.finish({{0, 0, 0}, {cells[0] + 3, cells[1] + 3, cells[2] + 3}});
  return true;
}

void BrickFile::put(std::int64_t number, const Brick& brick) {
  const std::lock_guard lock(m_mutex);
  if (!m_works || m_placeOf.contains(number)) return;
  const std::size_t place = m_next;
  m_next = (m_next + 1) % m_places;
  if (place < m_numbers.size())
    m_placeOf.erase(m_numbers[place]);
  else
    m_numbers.push_back(number);
  try {
    m_file.writeAt(place * m_brickBytes, {brick.data(), static_cast<std::size_t>(m_brickBytes)});
  } catch (const Error&) {
    m_works = false;
    return;
  }
  m_numbers[place] = number;
  m_placeOf[number] = place;
}

std::uint64_t BrickFile::bytes() const {
  const std::lock_guard lock(m_mutex);
  return m_numbers.size() * m_brickBytes;
}

}  // namespace farfield::volume
