#pragma once
// Planes that are meant to lie in an outer face of the data. What is shown of bounds are six digits, and numbers of files are rounded,
// so a plane that is typed may pass the data by for less than anybody could mean.
//
// A plane is beside a face within rounding if it is no farther from it than half of the sixth digit of a number as large as the data,
// or than floats are rounded there, but never than a thousandth of the data.

#include "core/extract/plane.h"

namespace farfield::extract {

/// `plane`, or, if it passes `bounds` by within rounding, the one beside it that touches them.
Plane broughtTo(const Bounds& bounds, const Plane& plane);
/// Whether some point of `part`, of data with these `bounds`, is below the plane by more than rounding: then no part makes liesBelow() true
/// of the whole.
bool reachesBelow(const Plane& plane, const Bounds& part, const Bounds& bounds);
/// Whether no point of `bounds` is below the plane but for rounding.
bool liesBelow(const Plane& plane, const Bounds& bounds);

}  // namespace farfield::extract
