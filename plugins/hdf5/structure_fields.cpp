#include "plugins/hdf5/structure_fields.h"

#include <bit>

namespace farfield::hdf5 {

std::uint32_t structureChecksum(std::span<const std::byte> bytes) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left > 12; left -= 12, at += 12) {
    a += load<std::uint32_t>(at);
    b += load<std::uint32_t>(at + 4);
    c += load<std::uint32_t>(at + 8);
    const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
      x = (x - z) ^ std::rotl(z, turn);
      z += y;
    };
    mix(a, b, c, 4);
    mix(b, c, a, 6);
    mix(c, a, b, 8);
    mix(a, b, c, 16);
    mix(b, c, a, 19);
    mix(c, a, b, 4);
  }
  if (left == 0) return c;
  std::uint32_t last[3]{};
  std::memcpy(last, at, left);
  a += last[0];
  b += last[1];
  c += last[2];
  const auto finish = [](std::uint32_t& x, std::uint32_t y, int turn) { x = (x ^ y) - std::rotl(y, turn); };
  finish(c, b, 14);
  finish(a, c, 11);
  finish(b, a, 25);
  finish(c, b, 16);
  finish(a, c, 4);
  finish(b, a, 14);
  finish(c, b, 24);
  return c;
}

void checkStructure(std::span<const std::byte> bytes, const char* what) {
  if (bytes.size() < 4) damagedStructure(what);
  const std::size_t body = bytes.size() - 4;
  if (structureChecksum(bytes.first(body)) != load<std::uint32_t>(bytes.data() + body))
    damagedStructure(what);
}

}  // namespace farfield::hdf5
