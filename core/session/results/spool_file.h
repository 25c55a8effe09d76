#pragma once
// Results wait on disk until they are written or drawn, so that their size is limited by the disk and not by
// the memory budget. A spool file has no name and disappears when the program ends, even when it is killed.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/file.h"

namespace farfield::session {

/// Where spool files are made: $TMPDIR if set, else `outputFolder` (which must hold the results anyway, while
/// /tmp is often memory).
std::filesystem::path spoolFolder(const std::filesystem::path& outputFolder);

/// All calls are thread-safe; ranges written at the same time must not overlap.
class SpoolFile {
 public:
  /// The first `reservedBytes` read as zeros until they are written. Throws Io.
  SpoolFile(const std::filesystem::path& folder, std::uint64_t reservedBytes);
  /// Reserves `bytes` at the end; returns their offset, never 0.
  std::uint64_t allocate(std::uint64_t bytes) { return m_end.fetch_add(bytes); }
  /// What has been allocated or reserved.
  std::uint64_t length() const { return m_end.load(); }
  void write(std::uint64_t offset, std::span<const std::byte> data);
  /// One after the other, in one go; at most 16.
  void write(std::uint64_t offset, std::span<const std::span<const std::byte>> parts);
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  /// Reads up to `out.size()` bytes, less at the end of what has been written; returns how many.
  std::size_t readSome(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  File m_file;
  std::atomic<std::uint64_t> m_end;
};

}  // namespace farfield::session
