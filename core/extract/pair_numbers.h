#pragma once
// Numbers the vertices of a patch by the edge on which they lie: a pair of nodes of a group, or a node and itself. Private to
// the folder.

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

/// The same for groups whose nodes are numbered along three axes, where a pair is a node or two neighbours: a table with a place
/// for each. `Row`: nodes of a row along each axis.
template <std::size_t Row>
class EdgeNumbers {
 public:
  static constexpr std::uint16_t kNone = 0xffff;
  /// The places of a node begin here: its own, and then those of the edges up from it along each axis.
  static constexpr std::size_t kPerNode = 4;

  EdgeNumbers() { clear(); }
  void clear() { m_numbers.fill(kNone); }
  void forget(std::size_t a, std::size_t b) { of(a, b) = kNone; }
  std::uint16_t& at(std::size_t place) { return m_numbers[place]; }
  std::uint16_t& of(std::size_t a, std::size_t b) {
    const std::size_t low = a < b ? a : b, apart = a < b ? b - a : a - b;
    return at(kPerNode * low + (apart != 0) + (apart > 1) + (apart > Row));
  }

 private:
  std::array<std::uint16_t, kPerNode * Row * Row * Row>
      m_numbers;  ///< by node: its own, and those of the edges up from it
};

}  // namespace farfield::extract::detail
