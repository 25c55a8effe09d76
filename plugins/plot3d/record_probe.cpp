#include "plugins/plot3d/record_probe.h"

#include <algorithm>
#include <limits>

#include "core/base/bytes.h"

namespace farfield::plot3d {
namespace {

/// Far more splits of 2 GiB than any file has; limits what a hostile one can make us remember.
constexpr std::size_t kMostSplits = 1 << 16;

std::uint64_t splitsUpTo(const Splits& splits, std::uint64_t offset) {
  return static_cast<std::uint64_t>(std::upper_bound(splits.begin(), splits.end(), offset) - splits.begin());
}

template <class T>
std::optional<T> numberAt(const paging::ByteObject& file, std::uint64_t size, ByteOrder order,
                          std::uint64_t position) {
  if (position > size || size - position < sizeof(T)) return std::nullopt;
  std::byte bytes[sizeof(T)];
  file.readAt(position, bytes);
  const T value = load<T>(bytes);
  return order == ByteOrder::Little ? value : byteSwapped(value);
}

std::uint64_t magnitude(std::int64_t marker) {
  return marker < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(marker)
                    : static_cast<std::uint64_t>(marker);
}

}  // namespace

void readSplit(const paging::ByteObject& file, const Splits& splits, int markerBytes, std::uint64_t offset,
               std::span<std::byte> out) {
  if (splits.empty()) return file.readAt(offset, out);
  std::uint64_t before = splitsUpTo(splits, offset);
  while (!out.empty()) {
    std::size_t count = out.size();
    if (before < splits.size())
      count = static_cast<std::size_t>(std::min<std::uint64_t>(count, splits[before] - offset));
    file.readAt(offset + before * 2 * static_cast<std::uint64_t>(markerBytes), out.first(count));
    out = out.subspan(count);
    offset += count;
    ++before;
  }
}

void expectSplit(const paging::ByteObject& file, const Splits& splits, int markerBytes, std::uint64_t offset,
                 std::uint64_t bytes) {
  file.expect(offset + splitsUpTo(splits, offset) * 2 * static_cast<std::uint64_t>(markerBytes), bytes);
}

std::uint64_t Probe::positionOf(std::uint64_t offset) const {
  return offset + splitsUpTo(m_splits, offset) * 2 * static_cast<std::uint64_t>(m_markerBytes);
}

std::optional<std::int32_t> Probe::int32At(std::uint64_t offset) const {
  const std::vector<std::int32_t> one = int32sAt(offset, 1);
  return one.empty() ? std::nullopt : std::optional(one.front());
}

std::vector<std::int32_t> Probe::int32sAt(std::uint64_t offset, std::int64_t count) const {
  const auto bytes = static_cast<std::uint64_t>(checkedProduct({count, 4}));
  if (offset > m_size || bytes > m_size - offset) return {};
  const std::uint64_t end = positionOf(offset + bytes - 1);
  if (end >= m_size) return {};
  std::vector<std::int32_t> values(static_cast<std::size_t>(count));
  readSplit(*m_file, m_splits, m_markerBytes, offset, std::as_writable_bytes(std::span(values)));
  if (m_order == ByteOrder::Big) swapBytes(std::as_writable_bytes(std::span(values)), 4);
  return values;
}

std::optional<std::int64_t> Probe::markerAtPosition(std::uint64_t position) const {
  if (m_markerBytes == 8) return numberAt<std::int64_t>(*m_file, m_size, m_order, position);
  return numberAt<std::int32_t>(*m_file, m_size, m_order, position);
}

bool Probe::recordAt(std::uint64_t offset, std::uint64_t payload) {
  if (m_markerBytes == 0) return offset <= m_size && payload <= m_size - offset;
  if (payload > m_size) return false;
  if (walk(offset, payload) == payload) return true;
  if (m_markerBytes != 4 || payload > std::numeric_limits<std::uint32_t>::max()) return false;
  // compilers without subrecords have unsigned markers
  m_splits.erase(std::upper_bound(m_splits.begin(), m_splits.end(), offset), m_splits.end());
  const std::uint64_t position = positionOf(offset);
  const auto marker = static_cast<std::uint32_t>(payload);
  return numberAt<std::uint32_t>(*m_file, m_size, m_order, position) == marker &&
         numberAt<std::uint32_t>(*m_file, m_size, m_order, position + 4 + payload) == marker;
}

std::optional<std::uint64_t> Probe::recordLengthAt(std::uint64_t offset) {
  return m_markerBytes == 0 ? std::nullopt : walk(offset, m_size);
}

/// Follows the subrecords at `offset` until they are longer than `most`.
std::optional<std::uint64_t> Probe::walk(std::uint64_t offset, std::uint64_t most) {
  m_splits.erase(std::upper_bound(m_splits.begin(), m_splits.end(), offset), m_splits.end());
  const auto marker = static_cast<std::uint64_t>(m_markerBytes);
  std::uint64_t position = positionOf(offset), total = 0;
  for (;;) {
    const auto leading = markerAtPosition(position);
    if (!leading || magnitude(*leading) > most - total) return std::nullopt;
    const std::uint64_t length = magnitude(*leading);
    const auto trailing = markerAtPosition(position + marker + length);
    if (!trailing || magnitude(*trailing) != length) return std::nullopt;
    total += length;
    position += 2 * marker + length;
    if (*leading >= 0) return total;
    if (m_splits.size() >= kMostSplits) return std::nullopt;
    m_splits.push_back(offset + marker + total);
  }
}

bool Probe::zeroFrom(std::uint64_t position) const {
  for (std::byte bytes[512]; position < m_size;) {
    const std::size_t count = m_file->readSomeAt(position, bytes);
    if (count == 0 || std::any_of(bytes, bytes + count, [](std::byte b) { return b != std::byte{0}; }))
      return false;
    position += count;
  }
  return true;
}

}  // namespace farfield::plot3d
