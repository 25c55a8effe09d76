#pragma once
// What the disk itself can do, measured with nothing of Farfield in between, and files for measuring.

#include <cstdint>
#include <filesystem>

namespace farfield::bench {

/// A folder of its own below another, removed with all that is in it.
class WorkFolder {
 public:
  /// Makes `parent` where it does not exist. Throws Io.
  explicit WorkFolder(const std::filesystem::path& parent);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

 private:
  std::filesystem::path m_path;
  bool m_madeParent = false;
};

/// Writes the file to the disk and takes it out of the system's cache. False where the system keeps some of
/// it: what is read then did not come from the disk.
bool makeCold(const std::filesystem::path& path);
/// The share of the file that the system holds in its cache, 0 to 1.
double cachedShare(const std::filesystem::path& path);

/// Bytes a second of reading the whole cold file from first to last, one read after another.
double sequentialReadRate(const std::filesystem::path& path);
/// Bytes a second of writing a file of `bytes` and having it on the disk; the file is removed.
double sequentialWriteRate(const std::filesystem::path& path, std::uint64_t bytes);

}  // namespace farfield::bench
