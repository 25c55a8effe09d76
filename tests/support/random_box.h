#pragma once
// Random boxes of nodes, for reading arrays in many ways.

#include <cstdint>
#include <random>

#include "core/base/geometry.h"

namespace farfield::test {

/// Within `dims`; along each axis it takes all nodes one time in three.
inline IndexBox randomBox(std::mt19937& random, const Index3& dims) {
  IndexBox box;
  for (int a = 0; a < 3; ++a) {
    const bool full = random() % 3 == 0;
    box.first[a] = full ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(dims[a]));
    const std::int64_t room = dims[a] - box.first[a];
    box.size[a] = full ? room : 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(room));
  }
  return box;
}

}  // namespace farfield::test
