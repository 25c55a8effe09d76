#pragma once
// One checksum of bytes that come in pieces of any size, and of which there may be more than memory holds.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace farfield::paging {

/// The bytes are cut every 64 KiB, wherever the pieces end; the sum of each part goes into that of the next.
class PiecewiseChecksum {
 public:
  void add(std::span<const std::byte> bytes);
  /// Of all bytes so far; 0 of none. More may be added.
  std::uint64_t value() const;

 private:
  std::uint64_t withPart() const;
  std::vector<std::byte> m_part;  ///< of what has no sum yet
  std::uint64_t m_sum = 0;
};

}  // namespace farfield::paging
