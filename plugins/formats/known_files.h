#pragma once
// Which files are of a format, so that others may be plain numbers, which no file says of itself.

#include <string>

namespace farfield::formats {

/// Whether a format knows the file of this machine by its name or its first bytes, or it may be PLOT3D, which is told by its size. True of
/// what cannot be read, too: opening says why. Text that may be a grid is not read whole.
bool isKnown(const std::string& file);

}  // namespace farfield::formats
