#include "app/video/video_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <string>

#include "app/video/ffmpeg.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/units.h"

extern char** environ;

namespace farfield::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostBytes = 1 << 16, kMostWords = 4096;
constexpr int kTickMs = 50;
/// FFmpeg may take its time for a picture, and at the end, but not that much.
constexpr std::chrono::seconds kPatience{120};

/// FFmpeg at work. Sockets in place of pipes: writing to one that the other end has left fails instead of ending this program.
class Encoder {
 public:
  Encoder(const std::filesystem::path& program, std::vector<std::string> arguments, std::stop_token stop)
      : m_stop(std::move(stop)) {
    std::array<int, 2> in{}, words{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0)
      throw ioError("no socket can be made", errno);
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, words.data()) != 0) {
      const int problem = errno;
      ::close(in[0]);
      ::close(in[1]);
      throw ioError("no socket can be made", problem);
    }
    m_in = in[0];
    m_words = words[0];
    ::fcntl(m_in, F_SETFL, O_NONBLOCK);
    ::fcntl(m_words, F_SETFL, O_NONBLOCK);
    std::vector<char*> list{const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) list.push_back(argument.data());
    list.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[1], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, words[1], 2);
    // Ctrl-C is for this program alone, which then ends the other one.
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&how, 0);
    const int problem = ::posix_spawn(&m_child, program.c_str(), &actions, &how, list.data(), environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[1]);
    ::close(words[1]);
    if (problem != 0) {
      m_child = -1;
      closeAll();
      throw ioError("cannot be started", problem).at(program.string());
    }
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  ~Encoder() {
    if (m_child > 0) {
      ::kill(m_child, SIGKILL);
      ::waitpid(m_child, nullptr, 0);
    }
    closeAll();
  }

  void write(std::span<const std::byte> bytes) {
    const Clock::time_point limit = Clock::now() + kPatience;
    while (!bytes.empty()) {
      listen();
      const ssize_t sent = ::send(m_in, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN) {
        wait(m_in, POLLOUT, limit);
      } else if (errno != EINTR) {
        finish();  // which says what it had to say
        throw Io("ended before it had all pictures").at("ffmpeg");
      }
    }
  }

  /// Waits for its end. Throws Io where it is not a good one.
  void finish() {
    if (m_in >= 0) ::close(m_in);
    m_in = -1;
    const Clock::time_point limit = Clock::now() + kPatience;
    int status = 0;
    while (true) {
      listen();
      const pid_t ended = ::waitpid(m_child, &status, WNOHANG);
      if (ended == m_child) break;
      wait(m_words, POLLIN, limit);
    }
    m_child = -1;
    listen();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    while (!m_said.empty() && (m_said.back() == '\n' || m_said.back() == '\r')) m_said.pop_back();
    const std::size_t line = m_said.rfind('\n');
    const std::string last = line == std::string::npos ? m_said : m_said.substr(line + 1);
    throw Io(last.empty() ? "ended without a word" : last,
             "the pictures are there; try another ending or folder")
        .at("ffmpeg");
  }

 private:
  void closeAll() {
    for (int* const each : {&m_in, &m_words}) {
      if (*each >= 0) ::close(*each);
      *each = -1;
    }
  }
  /// Takes what it says, so that it never waits for that.
  void listen() {
    if (m_stop.stop_requested()) throw Cancelled();
    std::array<char, 1024> bytes;
    while (m_words >= 0) {
      const ssize_t got = ::recv(m_words, bytes.data(), bytes.size(), 0);
      if (got <= 0) break;
      m_said.append(bytes.data(), static_cast<std::size_t>(got));
      if (m_said.size() > kMostWords) m_said.erase(0, m_said.size() - kMostWords);
    }
  }
  void wait(int fd, short what, Clock::time_point limit) {
    if (Clock::now() >= limit)
      throw Io("has done nothing for " + formatNumber(static_cast<double>(kPatience.count())) + " s",
               "see whether ffmpeg works by itself")
          .at("ffmpeg");
    std::array<pollfd, 2> open{{{fd, what, 0}, {m_words, POLLIN, 0}}};
    ::poll(open.data(), open.size(), kTickMs);
  }

  std::stop_token m_stop;
  pid_t m_child = -1;
  int m_in = -1, m_words = -1;
  std::string m_said;
};

/// Whether the PNG file has a channel of opacity: by the kind of its colours in its header (W3C PNG, 11.2.2 IHDR).
bool hasAlpha(const std::filesystem::path& picture) {
  constexpr std::uint64_t kColorType = 25;
  constexpr std::byte kAlpha{4};
  const File file = File::openForReading(picture);
  std::array<std::byte, 1> type{};
  if (file.size() <= kColorType) return false;  // which FFmpeg says better
  file.readAt(kColorType, type);
  return (type[0] & kAlpha) != std::byte{0};
}

/// Pictures laid over the background where they have gaps, and of even numbers of pixels, which players want.
std::string filterOf(const std::vector<std::filesystem::path>& pictures,
                     const std::array<float, 3>& background) {
  const auto part = [&](std::size_t n) {
    return std::to_string(std::lround(255 * std::clamp(background[n], 0.0F, 1.0F)));
  };
  std::string color = "0x";
  for (std::size_t n = 0; n < 3; ++n) {
    constexpr const char* kDigits = "0123456789abcdef";
    const auto byte = static_cast<std::size_t>(std::stoi(part(n)));
    color += {kDigits[byte / 16], kDigits[byte % 16]};
  }
  // A column and a row more where they are odd, of the colour of the background.
  const std::string even = "format=gbrp,pad=ceil(iw/2)*2:ceil(ih/2)*2:color=" + color;
  // One that is covered all over, as the first may be, has no such channel.
  if (std::none_of(pictures.begin(), pictures.end(), hasAlpha)) return even;
  // A copy of the picture in one colour, which a copy of it is laid over. (drawbox, which would be shorter, crashes in FFmpeg 5.1.)
  return "format=rgba,split[front][back];[back]lutrgb=r=" + part(0) + ":g=" + part(1) + ":b=" + part(2) +
         ":a=255[under];[under][front]overlay=format=rgb," + even;
}

/// Removes a file unless told that it has become something else.
struct PartFile {
  std::filesystem::path path;
  bool kept = false;
  ~PartFile() {
    std::error_code ignored;
    if (!kept) std::filesystem::remove(path, ignored);
  }
};

}  // namespace

void requireVideo(const std::filesystem::path& file, const std::stop_token& stop) {
  videoFormat(file, findFfmpeg(), stop);
}

void writeVideo(const std::vector<std::filesystem::path>& pictures, const VideoOptions& options) {
  const std::string place = "video " + options.file.string();
  if (pictures.empty()) throw Invalid("there is no picture").at(place);
  const std::filesystem::path program = findFfmpeg();
  const VideoFormat format = videoFormat(options.file, program, options.stop);
  PartFile part{options.file.parent_path() /
                ("." + options.file.filename().string() + "." + std::to_string(::getpid()) + ".part")};
  std::vector<std::string> arguments{"-hide_banner", "-loglevel",
                                     "error",        "-y",
                                     "-f",           "image2pipe",
                                     "-framerate",   formatNumber(options.picturesPerSecond),
                                     "-c:v",         "png",
                                     "-i",           "pipe:0",
                                     "-vf",          filterOf(pictures, options.background)};
  arguments.insert(arguments.end(), format.arguments.begin(), format.arguments.end());
  arguments.insert(arguments.end(), {"-pix_fmt", "yuv420p", "-an"});
  if (format.container == "mp4") arguments.insert(arguments.end(), {"-movflags", "+faststart"});
  arguments.insert(arguments.end(), {"-f", format.container, std::filesystem::absolute(part.path).string()});
  try {
    Encoder encoder(program, std::move(arguments), options.stop);
    std::vector<std::byte> bytes;
    for (std::size_t n = 0; n < pictures.size(); ++n) {
      if (options.progress) options.progress(n, pictures.size());
      const File picture = File::openForReading(pictures[n]);
      const std::uint64_t size = picture.size();
      for (std::uint64_t at = 0; at < size; at += bytes.size()) {
        bytes.resize(std::min<std::uint64_t>(kMostBytes, size - at));
        picture.readAt(at, bytes);
        encoder.write(bytes);
      }
    }
    encoder.finish();
  } catch (Error& error) {
    error.at(place);
    throw;
  }
  std::error_code failure;
  std::filesystem::rename(part.path, options.file, failure);
  if (failure) throw Io("cannot be written: " + failure.message()).at(place);
  part.kept = true;
  if (options.progress) options.progress(pictures.size(), pictures.size());
}

}  // namespace farfield::app
