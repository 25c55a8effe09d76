#pragma once
// What opening data in place found out by reading all of them once (the bounds of the blocks, the location
// bounds, walls), kept in files for the next time, so that a file of tens of gigabytes is not scanned again.
// It is valid for files with the same name, size, inode and time of the last change. Only an optimization:
// errors of reading and writing are ignored.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/paging/pages/description.h"
#include "core/paging/sources/memory_reader.h"

namespace farfield::paging {

/// Thread-safe; several programs may use one folder.
class KeptScans {
 public:
  struct Options {
    std::filesystem::path folder;  ///< made when something is kept
    /// Data with fewer bytes of coordinates are scanned quickly enough.
    std::uint64_t leastCoordinateBytes = std::uint64_t{256} << 20;
    std::uint64_t mostBytes = std::uint64_t{1}
                              << 30;  ///< of the folder; what was used longest ago goes first
  };
  explicit KeptScans(Options options) : m_options(std::move(options)) {}

  /// An identity of the grids in `files` when they are read as `description` says; empty if keeping it is not
  /// worthwhile, or a file cannot be examined. Throws Corrupt (sizes that no file can have).
  std::string identityOf(const std::vector<std::filesystem::path>& files,
                         const DatasetDescription& description) const;

  /// What was kept of one data set.
  class Kept {
   public:
    /// With the bounds of the blocks and the surfaces that were found.
    const DatasetDescription& description() const { return m_description; }
    /// Fills all of `boxes`. False, with anything in them, if they are damaged.
    bool readBoxes(MemoryReader& boxes) const;

   private:
    friend class KeptScans;
    File m_file;
    DatasetDescription m_description;
    std::vector<std::uint64_t> m_checksums;  ///< of the location bounds, array by array and step by step
    std::uint64_t m_boxesAt = 0;
  };
  /// What was kept under `identity` for these blocks, checked but for the location bounds, which readBoxes()
  /// checks. Nothing if there is none or something is wrong.
  std::optional<Kept> find(const std::string& identity, const std::vector<BlockDescription>& blocks) const;

  /// Keeps it in place of what there was; deletes older files.
  void keep(const std::string& identity, const DatasetDescription& found,
            const MemoryReader& boxes) const noexcept;

 private:
  Options m_options;
};

}  // namespace farfield::paging
