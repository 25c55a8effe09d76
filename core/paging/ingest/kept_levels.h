#pragma once
// Levels of detail of data that have none of their own (plain files in place, stores that were made without), made once
// and kept in files of the cache folder for whoever looks at the data again. A file is a store like any other: of some
// arrays at one step, the data's level 1 its level 0. Its values are those that a conversion with levels would give.
//
// A file belongs to data as they are: to their files by name, size, inode and the times of the last change, and to how
// they are read. Others are made for data that have changed, and what nobody has used for longest goes first. What was
// interrupted, even by a power failure, goes on where it ended.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::paging {

/// Of what: arrays of the first and only block, at one step.
struct LevelsWanted {
  std::vector<std::filesystem::path> files;    ///< all that values come from
  std::string reader;                          ///< that reads them, where it was named
  std::map<std::string, std::string> options;  ///< and how
  std::vector<std::string> arrays;             ///< by name; blanking is added by itself
  std::int64_t step = 0;
};

/// Thread-safe; several programs may use one folder.
class KeptLevels {
 public:
  struct Options {
    std::filesystem::path folder;  ///< made when something is kept
    /// Arrays of fewer bytes at one step are read as fast as their levels.
    std::uint64_t leastBytes = std::uint64_t{64} << 20;
    std::uint64_t mostBytes = std::uint64_t{8} << 30;  ///< of the folder
  };
  explicit KeptLevels(Options options) : m_options(std::move(options)) {}
  virtual ~KeptLevels() = default;
  const std::filesystem::path& folder() const { return m_options.folder; }

  /// Where levels are kept.
  struct Place {
    std::string identity;
    std::filesystem::path file;
    std::uint64_t bytes = 0;  ///< that they take at most
    int levels = 1;           ///< the data themselves included
  };
  /// Nothing where it is not worth while or not possible: small data, more than the folder may hold, several blocks or
  /// curvilinear ones, levels that are there, files that are not on this machine or cannot be looked at. Throws Corrupt (sizes
  /// that no file can have).
  std::optional<Place> placeOf(const LevelsWanted& wanted, const DatasetDescription& data) const;

  /// Whether a finished file has that name; what is in it says whose it is (identityIn()). Looks at the folder, as begunBytes() does:
  /// where that is on another machine, it may wait.
  virtual bool isThere(const Place& place) const noexcept;
  /// Bytes of what was made so far; 0 where it is there, or nothing is.
  virtual std::uint64_t begunBytes(const Place& place) const noexcept;
  /// Notes that it was used.
  void use(const Place& place) const noexcept;
  /// Whether `store`, as it was opened, is that of a place.
  static bool isOf(const Place& place, const DatasetDescription& store);

  struct MakeOptions {
    int processors = 1;
    std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< pages
    std::stop_token stop = {};
  };
  /// Makes the file, or goes on with it; lets older ones go for it. `data` are what the place was asked for, and
  /// may be opened anew. Memory is claimed from `account`. Throws Cancelled, Io (a full disk), OverBudget, Invalid (another
  /// program makes it), Corrupt (the data have changed), what reading throws; what was made stays but after Corrupt.
  void make(std::shared_ptr<const BoxReader> data, const LevelsWanted& wanted, const Place& place,
            const MakeOptions& options, MemoryAccount& account) const;

 private:
  void makeRoom(const Place& place) const;

  const Options m_options;
};

}  // namespace farfield::paging
