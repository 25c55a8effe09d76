#include "core/paging/store/partial_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"

namespace farfield::paging::detail {

std::filesystem::path partialPath(const std::filesystem::path& store) {
  return store.string() + ".part";
}
std::filesystem::path journalPath(const std::filesystem::path& store) {
  return store.string() + ".part.journal";
}

File openLocked(const std::filesystem::path& path, const std::filesystem::path& store) {
  for (;;) {
    File file = File::openForWriting(path, false);
    if (::flock(file.fd(), LOCK_EX | LOCK_NB) != 0)
      throw Invalid("is being written by another process", "wait for it to end").at("file " + store.string());
    // A process that ends removes its own, or gives it its name, so that this one may lead elsewhere once the lock is there.
    struct stat locked {
    }, named{};
    if (::fstat(file.fd(), &locked) == 0 && ::stat(path.c_str(), &named) == 0 &&
        locked.st_ino == named.st_ino && locked.st_dev == named.st_dev)
      return file;
  }
}

void syncFolder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // some file systems cannot; the rename has been made anyway
  ::fsync(fd);
  ::close(fd);
}

}  // namespace farfield::paging::detail
