#pragma once
// Numbers in bytes: byte order, unaligned access, and arithmetic on unchecked sizes.

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>

#include "core/base/error.h"

namespace farfield {

static_assert(std::endian::native == std::endian::little, "files and wire are little-endian, read in place");

template <class T>
T byteSwapped(T value) {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
  if constexpr (sizeof(T) == 1)
    return value;
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<T>(__builtin_bswap16(std::bit_cast<std::uint16_t>(value)));
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  else
    return std::bit_cast<T>(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
}

/// Little-endian value at `from`, aligned or not.
template <class T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
void store(void* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

/// Reverses the byte order of each `elementBytes`-sized element in place.
void swapBytes(std::span<std::byte> bytes, int elementBytes);

/// Product of untrusted numbers; throws Corrupt if it exceeds 2^62 or one is negative.
inline std::int64_t checkedProduct(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) {
    if (factor < 0 || __builtin_mul_overflow(result, factor, &result) || result > (std::int64_t{1} << 62))
      throw Corrupt("a size is negative or larger than any file can be");
  }
  return result;
}

}  // namespace farfield
