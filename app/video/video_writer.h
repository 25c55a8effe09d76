#pragma once
// A video of numbered pictures, made by FFmpeg: it is given the files one after the other, so pictures may have any
// numbers, and how far it has come is known.

#include <array>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

namespace farfield::app {

struct VideoOptions {
  std::filesystem::path file;  ///< .mp4 or .webm; appears whole or not at all, in place of what is there
  double picturesPerSecond = 25;
  /// sRGB, 0 to 1: what is seen through pictures that are not opaque. A video has no transparency.
  std::array<float, 3> background{1, 1, 1};
  std::stop_token stop = {};
  /// Pictures that FFmpeg has taken, of how many.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// Throws what would be in the way of writing such a file: see videoFormat().
void requireVideo(const std::filesystem::path& file, const std::stop_token& stop);

/// Of PNG files of one size; what is not even of it is made so by a line of the first picture's edge. Throws Unsupported (no FFmpeg, no
/// encoder), Invalid (no pictures), Io (what FFmpeg says, or that it takes nothing any more), Cancelled.
void writeVideo(const std::vector<std::filesystem::path>& pictures, const VideoOptions& options);

}  // namespace farfield::app
