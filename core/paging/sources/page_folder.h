#pragma once
// Stored pages of remote data in a local folder, so that a later run need not fetch them again. One folder
// for each version of a data set (its URL and what its server says of its files), with files to which
// programs append pages, and an index with a record for each page at a position that follows from the page's
// number. Pages of a version that was replaced are not found any more and are deleted in time.
//
// Several programs may use one folder. A page is written before its record, and record and page have
// checksums: a page that was half written, deleted by another program or damaged does not count, and is
// written again. Nothing is held in memory. The folder is kept below its size by deleting the files of pages
// that were used longest ago.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/file.h"
#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Thread-safe. Only an optimization: errors of reading and writing are ignored.
class PageFolder {
 public:
  struct Options {
    std::filesystem::path folder;  ///< made when something is kept; readable by its user only
    std::uint64_t mostBytes = std::uint64_t{4} << 30;
  };
  explicit PageFolder(Options options) : m_options(std::move(options)) {}
  ~PageFolder();
  PageFolder(const PageFolder&) = delete;
  PageFolder& operator=(const PageFolder&) = delete;

  /// The pages of one data set. Thread-safe; must not be used after the folder is gone.
  class Set;
  /// The set of data with this `identity` and number of pages per array; null if there is none and none can
  /// be made.
  std::shared_ptr<Set> open(const std::string& identity,
                            const std::vector<std::uint64_t>& pagesOfArrays) const noexcept;
  std::shared_ptr<Set> open(const std::string& identity,
                            const DatasetDescription& description) const noexcept;
  /// Records what this program has kept, and deletes what is too much.
  void settle() const noexcept;

  const std::filesystem::path& folder() const { return m_options.folder; }
  std::uint64_t mostBytes() const { return m_options.mostBytes; }

 private:
  void letGo(std::uint64_t& total) const;

  const Options m_options;
  mutable std::atomic<std::uint64_t> m_kept{0};  ///< bytes kept and not yet recorded
  mutable std::atomic<bool> m_isFull{false};     ///< the disk is full: nothing more is kept
};

class PageFolder::Set {
 public:
  Set(const PageFolder& folder, std::filesystem::path path, File index,
      const std::vector<std::uint64_t>& pagesOfArrays);

  bool mayHave(std::uint32_t array, std::uint64_t page) const noexcept;
  /// Which of `count` pages from `first` are most likely there. Empty where it cannot be told.
  std::vector<bool> look(std::uint32_t array, std::uint64_t first, std::uint64_t count) const noexcept;
  /// A page, its bytes in `buffer`, which is as large as the largest. Nothing if it is not here.
  std::optional<StoredPage> read(std::uint32_t array, std::uint64_t page,
                                 std::span<std::byte> buffer) const noexcept;
  void keep(std::uint32_t array, std::uint64_t page, const StoredPage& stored) const noexcept;
  const std::filesystem::path& path() const { return m_path; }

 private:
  struct Record;
  struct Segment {
    explicit Segment(File its) : file(std::move(its)) {}
    File file;
    std::atomic<std::int64_t> usedAt{0};  ///< seconds since the epoch
  };
  /// The position of a page's record; nothing for a page that the data do not have.
  std::optional<std::uint64_t> placeOf(std::uint32_t array, std::uint64_t page) const;
  std::optional<Record> recordOf(std::uint32_t array, std::uint64_t page) const noexcept;
  std::filesystem::path pathOf(std::uint64_t segment) const;
  std::shared_ptr<Segment> segment(std::uint64_t number) const;
  /// The segment to which this program appends, and the position of `bytes` in it.
  std::shared_ptr<Segment> ownSegment(std::uint64_t bytes, std::uint64_t& number,
                                      std::uint64_t& offset) const;

  const PageFolder& m_folder;
  const std::filesystem::path m_path;
  mutable File m_index;
  std::vector<std::uint64_t> m_firstOfArrays;  ///< numbers of first pages, and the end
  mutable std::mutex m_mutex;
  mutable std::unordered_map<std::uint64_t, std::shared_ptr<Segment>> m_segments;
  mutable std::uint64_t m_ownNumber = 0, m_ownBytes = 0;
};

}  // namespace farfield::paging
