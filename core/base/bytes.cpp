#include "core/base/bytes.h"

namespace farfield {
namespace {
template <class T>
void swapAll(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T))
    store(bytes.data() + at, byteSwapped(load<T>(bytes.data() + at)));
}
}  // namespace

void swapBytes(std::span<std::byte> bytes, int elementBytes) {
  if (elementBytes == 2) swapAll<std::uint16_t>(bytes);
  if (elementBytes == 4) swapAll<std::uint32_t>(bytes);
  if (elementBytes == 8) swapAll<std::uint64_t>(bytes);
}

}  // namespace farfield
