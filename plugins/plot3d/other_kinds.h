#pragma once
// Files of the PLOT3D family that are not a grid, recognized so that an error can name them: function files,
// OVERFLOW's solutions.

#include <string>

#include "core/paging/bytes/byte_object.h"

namespace farfield::plot3d {

/// "a PLOT3D function file", "an OVERFLOW solution file (8 variables)", or "" when it is neither, by size.
std::string otherKind(const paging::ByteObject& file);

}  // namespace farfield::plot3d
