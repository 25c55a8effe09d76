#pragma once
// A folder that a server shares, and the only way to a file in it: openat2(2) with RESOLVE_BENEATH, so that
// no "..", no link and no race leads out of it, and the opened file is the one that is read.

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "remote/protocol/messages.h"

namespace farfield::remote {

/// A file below the root. Read it under path(), which stays the opened file whatever its name leads to by
/// then. Movable.
class SharedFile {
 public:
  SharedFile() = default;
  SharedFile(int fd, std::string name);
  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&& other) noexcept;
  ~SharedFile();
  /// A name in /proc that opens exactly this file.
  std::string path() const;
  /// The name that the client uses.
  const std::string& name() const { return m_name; }
  /// From its device, inode, size and times: different after it was replaced or written to.
  std::uint64_t identity() const;
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(m_stat.st_size); }

 private:
  int m_fd = -1;  ///< opened with O_PATH
  std::string m_name;
  struct stat m_stat {};
};

/// Thread-safe.
class RootFolder {
 public:
  /// Throws NotFound, Io, Unsupported (a system without openat2).
  explicit RootFolder(const std::filesystem::path& path);
  RootFolder(const RootFolder&) = delete;
  RootFolder& operator=(const RootFolder&) = delete;
  ~RootFolder();

  /// Throws NotFound, Io, Invalid (it leaves the root, or is no ordinary file), all naming `path`.
  SharedFile open(const std::string& path) const;
  /// Files beside `path` that a reader may look for: with the same name up to a dot. Without `path` itself.
  std::vector<SharedFile> companions(const std::string& path) const;
  /// The entries of a folder by name, without hidden files and those that lead out of the root. At most
  /// kMostEntries. Throws Unsupported where it is a data set by itself, of Zarr or N5.
  std::vector<ListEntry> list(const std::string& path) const;
  static constexpr std::size_t kMostEntries = 100000;

  const std::filesystem::path& path() const { return m_path; }
  /// Tells this folder from others.
  std::uint64_t identity() const { return m_identity; }

 private:
  int openAt(const std::string& path, int flags) const;
  std::vector<std::string> namesIn(const std::string& folder) const;

  std::filesystem::path m_path;
  int m_fd = -1;
  std::uint64_t m_identity = 0;
};

}  // namespace farfield::remote
