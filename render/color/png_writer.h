#pragma once
// Pictures as PNG files: equal pictures are equal bytes, since only size and pixels are written.

#include <filesystem>

#include "render/color/image.h"

namespace farfield::color {

/// Writes `image` (not empty) as 8-bit sRGB PNG: RGB if every pixel is opaque, else RGBA. The file appears
/// completely or not at all. Throws Io.
void writePng(const Image& image, const std::filesystem::path& path);

}  // namespace farfield::color
