#pragma once
// Hilbert's space-filling curve: neighbours on it are neighbours in space, so that pages of what lies along it
// are compact. J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707 (2004).

#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

/// The place along the curve of a point in `bounds`: 21 bits of each axis. Points outside count as on the border.
std::uint64_t placeOnCurve(Vec3 point, const Bounds& bounds);

}  // namespace farfield::paging
