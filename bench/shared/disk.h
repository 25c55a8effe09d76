#pragma once
// Measures what the disk itself can do, without Farfield, and makes files for measuring.

#include <cstdint>
#include <filesystem>

namespace farfield::bench {

/// A folder of its own inside another, removed with its contents.
class WorkFolder {
 public:
  /// Creates `parent` if it does not exist. Throws Io.
  explicit WorkFolder(const std::filesystem::path& parent);
  ~WorkFolder() { remove(); }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
  /// What others still make in it meanwhile may stay.
  void remove() const noexcept;

 private:
  std::filesystem::path m_path;
  bool m_madeParent = false;
};

/// Writes the file to the disk and evicts it from the system's cache. False if the system keeps some of it:
/// then reads do not come from the disk.
bool makeCold(const std::filesystem::path& path);
/// The share of the file in the system's cache, 0 to 1.
double cachedShare(const std::filesystem::path& path);

/// Bytes a second of reading the whole cold file sequentially.
double sequentialReadRate(const std::filesystem::path& path);
/// Bytes a second of writing a file of `bytes` to the disk; the file is removed.
double sequentialWriteRate(const std::filesystem::path& path, std::uint64_t bytes);

}  // namespace farfield::bench
