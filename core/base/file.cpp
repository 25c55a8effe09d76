#include "core/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace farfield {
namespace {

std::string quoted(const std::filesystem::path& path) {
  return "file " + path.string();
}

constexpr std::size_t kBufferBytes = 1 << 18;

/// What a link leads to, be it there or not. Links in a circle lead nowhere.
std::filesystem::path endOfLinks(std::filesystem::path path) {
  constexpr int kMostLinks = 40;
  std::error_code unseen;
  for (int n = 0; n < kMostLinks && std::filesystem::is_symlink(path, unseen); ++n) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, unseen);
    if (unseen) break;
    path = path.parent_path() / next;
  }
  return path;
}

}  // namespace

File File::openForReading(const std::filesystem::path& path) {
  File file;
  file.m_path = path;
  // without O_NONBLOCK, opening a pipe waits for its other end, and nothing interrupts that
  file.m_fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.m_fd < 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      throw NotFound("no such file", "check the name").at(quoted(path));
    throw ioError("cannot be opened", errno).at(quoted(path));
  }
  struct stat info {};
  if (::fstat(file.m_fd, &info) != 0) throw ioError("cannot be examined", errno).at(quoted(path));
  if (S_ISDIR(info.st_mode)) throw Io("is a directory", "name a file in it").at(quoted(path));
  if (!S_ISREG(info.st_mode)) throw Io("is not a regular file", "name a file on a disk").at(quoted(path));
  return file;
}

File File::openForWriting(const std::filesystem::path& path, bool truncate) {
  File file;
  file.m_path = path;
  file.m_fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (truncate ? O_TRUNC : 0), 0666);
  if (file.m_fd < 0) {
    const bool noFolder = errno == ENOENT || errno == ENOTDIR;
    throw ioError("cannot be written", errno)
        .at(quoted(path))
        .advise(noFolder ? "make its folder first, or name another" : "name another folder");
  }
  return file;
}

File::File(File&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)), m_path(std::move(other.m_path)) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    if (m_fd >= 0) ::close(m_fd);
    m_fd = std::exchange(other.m_fd, -1);
    m_path = std::move(other.m_path);
  }
  return *this;
}

File::~File() {
  if (m_fd >= 0) ::close(m_fd);
}

std::uint64_t File::size() const {
  struct stat info {};
  if (::fstat(m_fd, &info) != 0) throw ioError("cannot be examined", errno).at(quoted(m_path));
  return static_cast<std::uint64_t>(info.st_size);
}

std::size_t File::readSomeAt(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got =
        ::pread(m_fd, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw ioError("read failed at byte " + std::to_string(offset + done), errno).at(quoted(m_path));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void File::readAt(std::uint64_t offset, std::span<std::byte> out) const {
  const std::size_t got = readSomeAt(offset, out);
  if (got != out.size())
    throw Corrupt("ends at byte " + std::to_string(offset + got) + ", but " + std::to_string(out.size()) +
                      " bytes are expected at byte " + std::to_string(offset),
                  "the file is cut short; copy or convert it again")
        .at(quoted(m_path));
}

void File::expect(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  ::posix_fadvise(m_fd, static_cast<off_t>(offset), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
}

void File::writeAt(std::uint64_t offset, std::span<const std::byte> data) {
  std::size_t done = 0;
  while (done < data.size()) {
    const ssize_t put =
        ::pwrite(m_fd, data.data() + done, data.size() - done, static_cast<off_t>(offset + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0)
      throw ioError("write failed at byte " + std::to_string(offset + done), errno).at(quoted(m_path));
    done += static_cast<std::size_t>(put);
  }
}

void File::resize(std::uint64_t bytes) {
  if (::ftruncate(m_fd, static_cast<off_t>(bytes)) != 0)
    throw ioError("cannot be resized", errno).at(quoted(m_path));
}

void File::sync() {
  // A file system without such a call keeps things as well as it can.
  if (::fdatasync(m_fd) != 0 && errno != EINVAL && errno != ENOSYS)
    throw ioError("cannot be flushed to disk", errno).at(quoted(m_path));
}

void File::close() {
  if (m_fd >= 0 && ::close(std::exchange(m_fd, -1)) != 0)
    throw ioError("cannot be closed", errno).at(quoted(m_path));
}

bool fileStartsWith(const std::filesystem::path& path, std::string_view magic) {
  try {
    std::string head(magic.size(), '\0');
    const std::size_t got = File::openForReading(path).readSomeAt(0, std::as_writable_bytes(std::span(head)));
    return got == magic.size() && head == magic;
  } catch (const Error&) {
    return false;
  }
}

NewFile::NewFile(const std::filesystem::path& path)
    : m_path(endOfLinks(path)),
      m_temporary(m_path.parent_path() /
                  ("." + m_path.filename().string() + "." + std::to_string(::getpid()) + ".part")) {
  // In a folder that cannot be entered this sees nothing; opening fails with an error then.
  std::error_code unseen;
  const std::filesystem::file_status there = std::filesystem::status(m_path, unseen);
  if (std::filesystem::is_directory(there)) throw Io("is a directory", "name a file in it").at(quoted(path));
  // A file would take the place of a device or a pipe, of which others are in need.
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    throw Io("is not a regular file", "name a file on a disk").at(quoted(path));
  m_buffer.resize(kBufferBytes);  // allocated before there is a file, which would stay behind if this failed
  try {
    m_file = File::openForWriting(m_temporary, true);
  } catch (Error& error) {
    // the temporary name means nothing to the user; name the file that was asked for
    throw Io(error.message(), error.action()).at(quoted(path));
  }
}

NewFile::~NewFile() {
  if (!m_committed) ::unlink(m_temporary.c_str());
}

void NewFile::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    if (m_buffered == 0 && data.size() >= kBufferBytes) {
      try {
        m_file.writeAt(m_offset, data);
      } catch (Error& error) {
        throw Io(error.message(), error.action()).at(quoted(m_path));
      }
      m_offset += data.size();
      return;
    }
    const std::size_t part = std::min(data.size(), kBufferBytes - m_buffered);
    std::memcpy(m_buffer.data() + m_buffered, data.data(), part);
    m_buffered += part;
    data = data.subspan(part);
    if (m_buffered == kBufferBytes) flush();
  }
}

void NewFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text.data(), text.size())));
}

void NewFile::flush() {
  try {
    m_file.writeAt(m_offset, std::as_bytes(std::span(m_buffer.data(), m_buffered)));
  } catch (Error& error) {
    throw Io(error.message(), error.action()).at(quoted(m_path));
  }
  m_offset += m_buffered;
  m_buffered = 0;
}

void NewFile::commit() {
  flush();
  try {
    // The name must not reach the disk before what it stands for: after a power cut there would be an empty file, or a part of one.
    m_file.sync();
    m_file.close();
  } catch (Error& error) {
    throw Io(error.message(), error.action()).at(quoted(m_path));
  }
  if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
    throw ioError("cannot be written", errno).at(quoted(m_path));
  m_committed = true;
}

}  // namespace farfield
