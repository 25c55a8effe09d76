#pragma once
// How cells of levels follow from their sizes.

#include <cstddef>

#include "core/base/geometry.h"

namespace farfield::amr {

/// How many cells of size `fine` lie along each axis in one of size `coarse`; `level` is the number of the finer level, for errors.
/// Sizes may be rounded. Throws Corrupt unless they divide.
Index3 ratioBetween(Vec3 coarse, Vec3 fine, std::size_t level);

}  // namespace farfield::amr
