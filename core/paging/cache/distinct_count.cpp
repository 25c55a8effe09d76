#include "core/paging/cache/distinct_count.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace farfield::paging {
namespace {
/// The finalizer of SplitMix64 (Steele, Lea, Flood, 2014): every bit of the result depends on every bit of
/// `x`.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
}  // namespace

void DistinctCount::add(std::uint64_t value) {
  const std::uint64_t hash = mixed(value);
  const auto run = static_cast<std::uint8_t>(std::countl_zero((hash << kBits) | 1) + 1);
  std::uint8_t& longest = m_longest[hash >> (64 - kBits)];
  longest = std::max(longest, run);
}

std::uint64_t DistinctCount::estimate() const {
  const auto registers = static_cast<double>(m_longest.size());
  double sum = 0;
  int empty = 0;
  for (const std::uint8_t longest : m_longest) {
    sum += std::ldexp(1.0, -longest);
    empty += longest == 0;
  }
  const double alpha = 0.7213 / (1 + 1.079 / registers);
  const double raw = alpha * registers * registers / sum;
  const double count = raw <= 2.5 * registers && empty > 0 ? registers * std::log(registers / empty) : raw;
  return static_cast<std::uint64_t>(std::llround(count));
}

}  // namespace farfield::paging
