#pragma once
// What this program wrote, told by the files themselves: those of others are not replaced unasked. Pictures and geometry
// of other programs have the same formats, so a format's first bytes are not enough.

#include <filesystem>

namespace farfield::cli {

/// Whether it is a PNG that says before its pixels that Farfield made it. False where it cannot be read.
bool isOwnPicture(const std::filesystem::path& path);
/// Whether it begins as the .vtp and .pvtp files of a run do, which those of VTK's own writers do not.
bool isOwnGeometry(const std::filesystem::path& path);
/// Whether it is a drawing of life lines.
bool isOwnDrawing(const std::filesystem::path& path);

}  // namespace farfield::cli
