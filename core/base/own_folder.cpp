#include "core/base/own_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace farfield {
namespace {

/// Attempts to make a folder that no other program's sweep has taken before it was locked.
constexpr int kAttempts = 16;

/// The open folder at `path`, locked; -1 if another program has it, or if it is not this user's own folder.
int locked(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat opened {};
  if (::fstat(fd, &opened) == 0 && opened.st_uid == ::geteuid() && ::flock(fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  ::close(fd);
  return -1;
}

/// Whether the open folder `fd` is still the one of that name.
bool isStill(int fd, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

void removeUnused(const std::filesystem::path& parent, const std::string& prefix) {
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(parent, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (!entry->path().filename().string().starts_with(prefix)) continue;
    const int fd = locked(entry->path());
    if (fd < 0) continue;
    std::error_code ignored;
    std::filesystem::remove_all(entry->path(), ignored);  // links are removed, not what they lead to
    ::close(fd);
  }
}

}  // namespace

OwnFolder::OwnFolder(const std::filesystem::path& parent, const std::string& prefix) {
  removeUnused(parent, prefix);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string name = parent / (prefix + "XXXXXX");
    if (!::mkdtemp(name.data())) throw ioError("a private folder cannot be made", errno).at(name);
    const int fd = locked(name);
    if (fd >= 0 && isStill(fd, name)) {
      m_path = name;
      m_lock = fd;
      return;
    }
    if (fd >= 0) ::close(fd);
  }
  throw Io("a private folder is taken away again and again").at(parent.string());
}

OwnFolder::OwnFolder(OwnFolder&& other) noexcept
    : m_path(std::move(other.m_path)), m_lock(std::exchange(other.m_lock, -1)) {
  other.m_path.clear();
}

OwnFolder::~OwnFolder() {
  std::error_code ignored;
  if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
  if (m_lock >= 0) ::close(m_lock);
}

}  // namespace farfield
