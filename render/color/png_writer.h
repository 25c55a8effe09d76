#pragma once
// Pictures as PNG files: equal pictures are equal bytes, for nothing but size and pixels goes into the file.

#include <filesystem>

#include "render/color/image.h"

namespace farfield::color {

/// Writes `image` (not empty) as 8-bit sRGB PNG: RGB where every pixel is opaque, else RGBA. The file
/// appears whole or not at all. Throws Io.
void writePng(const Image& image, const std::filesystem::path& path);

}  // namespace farfield::color
