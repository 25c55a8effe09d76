#pragma once
// What opening data in place found out by reading all of them once (the bounds of the blocks, the boxes that
// locate points, walls), kept in files of its own for the next time: a file of tens of gigabytes that is
// opened again needs no look at its coordinates. What is kept belongs to files as they were, by name, size,
// inode and the time of the last change, and is made anew for others. Nothing here is needed: what cannot be
// read or written is left.

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
class KeptPlaces {
 public:
  struct Options {
    std::filesystem::path folder;  ///< made when something is kept
    /// Data with fewer bytes of coordinates are read faster than it is worth.
    std::uint64_t leastCoordinateBytes = std::uint64_t{256} << 20;
    std::uint64_t mostBytes = std::uint64_t{1}
                              << 30;  ///< of the folder; what was used longest ago goes first
  };
  explicit KeptPlaces(Options options) : m_options(std::move(options)) {}

  /// Names what is found in `files` when they are read as `description` says (its grids alone count); empty
  /// where keeping it is not worth while, or a file cannot be looked at. Throws Corrupt (sizes that no file
  /// can have).
  std::string identityOf(const std::vector<std::filesystem::path>& files,
                         const DatasetDescription& description) const;

  /// What was kept of one data set.
  class Kept {
   public:
    /// With the bounds of the blocks and the surfaces that were found.
    const DatasetDescription& description() const { return m_description; }
    /// Fills all of `boxes`. False, with anything in them, where they are not what was kept.
    bool readBoxes(MemoryReader& boxes) const;

   private:
    friend class KeptPlaces;
    File m_file;
    DatasetDescription m_description;
    std::vector<std::uint64_t> m_checksums;  ///< of the boxes, array by array and step by step
    std::uint64_t m_boxesAt = 0;
  };
  /// What was kept under `identity` of data of these blocks, whole but for its boxes, which readBoxes() checks.
  /// Nothing where there is none or anything is wrong with it.
  std::optional<Kept> find(const std::string& identity, const std::vector<BlockDescription>& blocks) const;

  /// Keeps it in place of what there was; lets older ones go.
  void keep(const std::string& identity, const DatasetDescription& found,
            const MemoryReader& boxes) const noexcept;

 private:
  Options m_options;
};

}  // namespace farfield::paging
