#pragma once
// Counts the different values of a stream, to about 2 %, in 4 KiB: HyperLogLog (Flajolet, Fusy, Gandouet,
// Meunier, 2007), with the linear counting of its section 4 for small numbers.

#include <array>
#include <cstdint>

namespace farfield::paging {

/// Not thread-safe.
class DistinctCount {
 public:
  void add(std::uint64_t value);
  std::uint64_t estimate() const;

 private:
  static constexpr int kBits = 12;
  std::array<std::uint8_t, 1 << kBits> m_longest{};  ///< longest run of zeros seen, plus 1, by register
};

}  // namespace farfield::paging
