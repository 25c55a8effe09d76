#include "remote/server/root_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/store_file.h"

namespace farfield::remote {
namespace {

constexpr std::size_t kMostCompanions = 32;

/// The last part, and what comes before it.
std::pair<std::string, std::string> split(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return {"", path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

/// What PLOT3D solutions are called beside a grid of this name.
std::vector<std::string> solutionNames(const std::string& grid) {
  std::vector<std::string> names;
  const auto dot = grid.rfind('.');
  const std::string stem = grid.substr(0, dot), ending = dot == std::string::npos ? "" : grid.substr(dot);
  if (stem.ends_with("xyz")) names.push_back(stem.substr(0, stem.size() - 3) + "q" + ending);
  if (ending == ".x" || ending == ".xyz" || ending == ".g" || ending == ".grd" || ending == ".xyzb")
    for (const char* const its : {".q", ".sol", ".qb"}) names.push_back(stem + its);
  return names;
}

/// Of files in a folder of Zarr's or N5's, whose parts are folders and files that are named by numbers: nothing in it opens by itself.
bool isPartOfArrays(const std::string& name) {
  return name == "zarr.json" || name == "attributes.json" ||
         name.find_first_not_of("0123456789.") == std::string::npos;
}

}  // namespace

SharedFile::SharedFile(int fd, std::string name) : m_fd(fd), m_name(std::move(name)) {
  if (::fstat(m_fd, &m_stat) != 0) {
    const int reason = errno;
    ::close(std::exchange(m_fd, -1));
    throw ioError("cannot be looked at", reason).at(m_name);
  }
}
SharedFile::SharedFile(SharedFile&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1)), m_name(std::move(other.m_name)), m_stat(other.m_stat) {}
SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  std::swap(m_name, other.m_name);
  std::swap(m_stat, other.m_stat);
  return *this;
}
SharedFile::~SharedFile() {
  if (m_fd >= 0) ::close(m_fd);
}

std::string SharedFile::path() const {
  return "/proc/self/fd/" + std::to_string(m_fd);
}

std::uint64_t SharedFile::identity() const {
  const std::array<std::int64_t, 7> facts = {static_cast<std::int64_t>(m_stat.st_dev),
                                             static_cast<std::int64_t>(m_stat.st_ino),
                                             m_stat.st_size,
                                             m_stat.st_mtim.tv_sec,
                                             m_stat.st_mtim.tv_nsec,
                                             m_stat.st_ctim.tv_sec,
                                             m_stat.st_ctim.tv_nsec};
  return paging::checksum(std::as_bytes(std::span(facts)));
}

RootFolder::RootFolder(const std::filesystem::path& path) : m_path(path) {
  m_fd = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (m_fd < 0) {
    if (errno == ENOENT)
      throw NotFound("there is no such folder", "name one that exists").at("--root " + path.string());
    throw ioError("cannot be shared", errno).at("--root " + path.string());
  }
  const int probe = openAt(".", O_PATH | O_DIRECTORY);
  if (probe < 0) {
    const int reason = errno;
    ::close(m_fd);
    if (reason == ENOSYS)
      throw Unsupported("this system cannot keep paths below a folder (openat2)", "use Linux 5.6 or newer");
    throw ioError("cannot be shared", reason).at("--root " + path.string());
  }
  ::close(probe);
  struct stat its {};
  ::fstat(m_fd, &its);
  const std::array<std::uint64_t, 2> facts = {static_cast<std::uint64_t>(its.st_dev),
                                              static_cast<std::uint64_t>(its.st_ino)};
  m_identity = paging::checksum(std::as_bytes(std::span(facts)));
}

RootFolder::~RootFolder() {
  if (m_fd >= 0) ::close(m_fd);
}

int RootFolder::openAt(const std::string& path, int flags) const {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  if (path.find('\0') != std::string::npos) {
    errno = ENOENT;
    return -1;
  }
  const char* const name = path.empty() ? "." : path.c_str();
  // The kernel gives up, with EAGAIN, where something on the way was renamed meanwhile.
  for (int attempt = 0;; ++attempt) {
    const long fd = ::syscall(SYS_openat2, m_fd, name, &how, sizeof how);
    if (fd >= 0 || errno != EAGAIN || attempt == 100) return static_cast<int>(fd);
  }
}

SharedFile RootFolder::open(const std::string& path) const {
  const std::string shown = printable(path);
  const int fd = openAt(path, O_PATH);
  if (fd < 0) {
    switch (errno) {
      case EXDEV:
        throw Invalid("leads out of the folder that is shared", "name what lies below it").at(shown);
      case ELOOP:
        throw Invalid("is a link that leads nowhere or in a circle").at(shown);
      case ENOENT:
      case ENOTDIR:
      case ENAMETOOLONG:
        throw NotFound("the server has no such file",
                       "`farfield info` of the folder's URL, with a slash at its end, lists its names")
            .at(shown);
      default:
        throw ioError("cannot be opened", errno).at(shown);
    }
  }
  SharedFile file(fd, shown);
  struct stat its {};
  ::fstat(fd, &its);
  if (S_ISDIR(its.st_mode)) throw Invalid("is a folder", "name a file in it").at(shown);
  if (!S_ISREG(its.st_mode)) throw Invalid("is not an ordinary file").at(shown);
  return file;
}

std::vector<std::string> RootFolder::namesIn(const std::string& folder) const {
  const std::string shown = folder.empty() ? "/" : printable(folder);
  const int fd = openAt(folder, O_RDONLY | O_DIRECTORY);
  if (fd < 0) {
    switch (errno) {
      case EXDEV:
        throw Invalid("leads out of the folder that is shared", "name what lies below it").at(shown);
      case ENOENT:
      case ENAMETOOLONG:
        throw NotFound("the server has no such folder").at(shown);
      case ENOTDIR:
        throw Invalid("is not a folder").at(shown);
      default:
        throw ioError("cannot be listed", errno).at(shown);
    }
  }
  DIR* const at = ::fdopendir(fd);
  if (!at) {
    const int reason = errno;
    ::close(fd);
    throw ioError("cannot be listed", reason).at(shown);
  }
  std::vector<std::string> names;
  while (const dirent* const entry = ::readdir(at)) {
    if (entry->d_name[0] == '.') continue;
    names.emplace_back(entry->d_name);
    if (names.size() == kMostEntries) break;
  }
  ::closedir(at);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<SharedFile> RootFolder::companions(const std::string& path) const {
  const auto [folder, name] = split(path);
  const std::string stem = name.substr(0, name.rfind('.'));
  std::vector<SharedFile> files;
  for (const std::string& other : namesIn(folder)) {
    if (other == name || !other.starts_with(stem + ".")) continue;
    try {
      files.push_back(open(joined(folder, other)));
    } catch (const Error&) {
      continue;  // of no use to a reader
    }
    if (files.size() == kMostCompanions) break;
  }
  return files;
}

std::vector<ListEntry> RootFolder::list(const std::string& path) const {
  const std::vector<std::string> names = namesIn(path);
  const std::set<std::string> known(names.begin(), names.end());
  std::vector<ListEntry> entries;
  for (const std::string& name : names) {
    const int fd = openAt(joined(path, name), O_PATH);
    if (fd < 0) continue;
    struct stat its {};
    const bool seen = ::fstat(fd, &its) == 0;
    ListEntry entry;
    entry.name = name;
    if (seen && S_ISDIR(its.st_mode)) {
      entry.kind = EntryKind::Folder;
    } else if (seen && S_ISREG(its.st_mode)) {
      entry.bytes = static_cast<std::uint64_t>(its.st_size);
      if (paging::StoreFile::looksLikeStore("/proc/self/fd/" + std::to_string(fd)))
        entry.kind = EntryKind::Store;
      for (const std::string& solution : solutionNames(name))
        if (entry.solution.empty() && known.contains(solution)) entry.solution = solution;
    } else {
      ::close(fd);
      continue;
    }
    ::close(fd);
    entries.push_back(std::move(entry));
  }
  const auto isThere = [&](const char* mark) {
    const int fd = openAt(joined(path, mark), O_PATH);
    if (fd >= 0) ::close(fd);
    return fd >= 0;
  };
  // Who goes into one would find folder after folder.
  if (std::all_of(entries.begin(), entries.end(),
                  [](const ListEntry& entry) {
                    return entry.kind == EntryKind::Folder || isPartOfArrays(entry.name);
                  }) &&
      (isThere(".zgroup") || isThere(".zarray") || isThere("zarr.json") || isThere("attributes.json")))
    throw Unsupported("is a data set of Zarr or N5, which paging servers do not serve",
                      "name it as a URL of a web server, or convert it into a store there")
        .at(path.empty() ? "/" : printable(path));
  return entries;
}

}  // namespace farfield::remote
