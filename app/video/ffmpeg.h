#pragma once
// FFmpeg, where it is installed: the program that makes videos of pictures. It is found in PATH and asked what it can
// write; nothing of it is linked in.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace farfield::app {

/// The program "ffmpeg" of PATH; empty where there is none.
std::filesystem::path findFfmpeg();

/// How a video of the kind of `file` (by its ending: .mp4 or .webm) is written.
struct VideoFormat {
  std::string container;               ///< as FFmpeg names it
  std::vector<std::string> arguments;  ///< that choose the encoder and its settings
};
/// The first encoder for it that `ffmpeg` has. Throws Unsupported for other endings, where there is no ffmpeg, and where
/// it has none of the encoders.
VideoFormat videoFormat(const std::filesystem::path& file, const std::filesystem::path& ffmpeg,
                        const std::stop_token& stop);

}  // namespace farfield::app
