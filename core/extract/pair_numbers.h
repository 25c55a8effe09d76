#pragma once
// Numbers the vertices of a patch by the edge on which they lie: a pair of nodes of a group. Private to the
// folder.

#include <array>
#include <cstddef>
#include <cstdint>

namespace farfield::extract::detail {

/// A hash table of fixed size, for at most half as many pairs as it has entries.
template <unsigned Bits>
class PairNumbers {
 public:
  static constexpr std::uint16_t kNone = 0xffff;

  PairNumbers() { clear(); }
  void clear() { m_pairs.fill(kNoPair); }
  /// kNone if the pair has no number yet.
  std::uint16_t& of(std::size_t a, std::size_t b) {
    const std::uint32_t pair = static_cast<std::uint32_t>(a) << 16 | static_cast<std::uint32_t>(b);
    // Fibonacci hashing.
    std::size_t at = pair * 2654435769U >> (32 - Bits);
    while (m_pairs[at] != pair) {
      if (m_pairs[at] == kNoPair) {
        m_pairs[at] = pair;
        m_numbers[at] = kNone;
        break;
      }
      at = (at + 1) % m_pairs.size();
    }
    return m_numbers[at];
  }

 private:
  static constexpr std::uint32_t kNoPair = ~std::uint32_t{0};
  std::array<std::uint32_t, 1U << Bits> m_pairs;
  std::array<std::uint16_t, 1U << Bits> m_numbers;
};

}  // namespace farfield::extract::detail
