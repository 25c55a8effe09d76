#pragma once
// Pictures as PNG files: equal pictures are equal bytes, since only size, pixels and what is said with them are written.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "render/color/image.h"

namespace farfield::color {

/// Texts of a PNG file by their keywords, which have 1 to 79 letters of ASCII.
using PngTexts = std::vector<std::pair<std::string, std::string>>;

/// Writes `image` (not empty) as 8-bit sRGB PNG: RGB if every pixel is opaque, else RGBA. `texts` come before the
/// pixels, those that are not ASCII as UTF-8 (iTXt). The file appears completely or not at all. Tells how far it is (ToldProgress), and throws
/// Cancelled where the calling thread's waits are stopped (StoppableWaits). Throws Io.
void writePng(const Image& image, const std::filesystem::path& path, const PngTexts& texts = {});

}  // namespace farfield::color
