#include "app/video/ffmpeg.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "core/base/child.h"
#include "core/base/error.h"

namespace farfield::app {
namespace {

constexpr std::chrono::seconds kAnswerTime{30};

struct Encoder {
  const char* name;
  std::vector<std::string> settings;
};
struct Kind {
  const char *ending, *container;
  std::vector<Encoder> encoders;  ///< the first that is there is taken
};

// Quality is chosen so that thin lines stay sharp. yuv420p is what players everywhere can show.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {".mp4",
       "mp4",
       {{"libx264", {"-crf", "18", "-preset", "medium"}},
        {"libopenh264", {"-b:v", "12M"}},
        {"mpeg4", {"-q:v", "2"}}}},
      {".webm",
       "webm",
       {{"libvpx-vp9", {"-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1"}},
        {"libvpx", {"-crf", "8", "-b:v", "16M"}}}},
  };
  return all;
}

std::string endingOf(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

}  // namespace

std::filesystem::path findFfmpeg() {
  const char* const folders = std::getenv("PATH");
  std::string rest = folders ? folders : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path file = std::filesystem::path(rest.substr(0, end)) / "ffmpeg";
    if (end > 0 && ::access(file.c_str(), X_OK) == 0) return file;
    rest.erase(0, end + 1);
  }
  return {};
}

VideoFormat videoFormat(const std::filesystem::path& file, const std::filesystem::path& ffmpeg,
                        const std::stop_token& stop) {
  const std::string ending = endingOf(file);
  const auto kind =
      std::find_if(kinds().begin(), kinds().end(), [&](const Kind& k) { return ending == k.ending; });
  if (kind == kinds().end())
    throw Unsupported("videos are written as .mp4 or .webm", "give the file one of these endings")
        .at("video " + file.string());
  if (ffmpeg.empty())
    throw Unsupported("FFmpeg, which writes videos, is not installed",
                      "install ffmpeg, or do without the video: the numbered pictures are written anyway")
        .at("video " + file.string());
  const ChildOutcome outcome =
      runChild(ffmpeg.string(), {"-hide_banner", "-encoders"}, kAnswerTime, stop);
  for (const Encoder& encoder : kind->encoders) {
    if (outcome.out.find(" " + std::string(encoder.name) + " ") == std::string::npos) continue;
    VideoFormat format{kind->container, {"-c:v", encoder.name}};
    format.arguments.insert(format.arguments.end(), encoder.settings.begin(), encoder.settings.end());
    return format;
  }
  throw Unsupported(
      ffmpeg.string() + " has no encoder for " + ending + " files",
      "install an FFmpeg with " + std::string(kind->encoders.front().name) + ", or use the other ending")
      .at("video " + file.string());
}

}  // namespace farfield::app
