#pragma once
// Files of the PLOT3D family that are neither a grid nor a solution, recognized so that an error can name
// them: text files, function files, OVERFLOW's solutions.

#include <string>

#include "core/base/file.h"

namespace farfield::plot3d {

/// Only digits, signs and blanks at the beginning.
bool looksLikeText(const File& file);

/// "a PLOT3D function file", "an OVERFLOW solution file (8 variables)", or "" when it is neither, by size.
std::string otherKind(const File& file);

}  // namespace farfield::plot3d
