#pragma once
// Stored pages of remote data in a folder of this machine, so that what was brought over a network once need not be
// brought again by a later run. A folder for each data set as it was (its URL and what its server says of its files); in
// it files that each program appends its pages to, and an index with a record for each page of the data set at a place
// that follows from the page's number. Pages of a data set that was replaced are not found any more and leave in time.
//
// Several programs use one folder at a time. A page is written before its record, and record and page have checksums: what
// a killed program left half written, what another has let go, what is damaged is no page, and is written anew. Nothing of
// it is held in memory. The folder is kept below its size by letting go those files of pages that were used longest ago.

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

/// Thread-safe. Nothing here is needed: what cannot be read or written is left.
class PageFolder {
 public:
  struct Options {
    std::filesystem::path folder;  ///< made when something is kept, for its user alone
    std::uint64_t mostBytes = std::uint64_t{4} << 30;
  };
  explicit PageFolder(Options options) : m_options(std::move(options)) {}
  ~PageFolder();
  PageFolder(const PageFolder&) = delete;
  PageFolder& operator=(const PageFolder&) = delete;

  /// The pages of one data set. Thread-safe; not used after the folder is gone.
  class Set;
  /// Of data that are `identity` and have so many pages in each array; null where there is none and none can be made.
  std::shared_ptr<Set> open(const std::string& identity,
                            const std::vector<std::uint64_t>& pagesOfArrays) const noexcept;
  std::shared_ptr<Set> open(const std::string& identity,
                            const DatasetDescription& description) const noexcept;
  /// Notes what this program has kept, and lets go what is too much.
  void settle() const noexcept;

  const std::filesystem::path& folder() const { return m_options.folder; }
  std::uint64_t mostBytes() const { return m_options.mostBytes; }

 private:
  void letGo(std::uint64_t& total) const;

  const Options m_options;
  mutable std::atomic<std::uint64_t> m_kept{0};  ///< bytes, since they were noted
  mutable std::atomic<bool> m_isFull{false};     ///< the disk is: nothing more is kept
};

class PageFolder::Set {
 public:
  Set(const PageFolder& folder, std::filesystem::path path, File index,
      const std::vector<std::uint64_t>& pagesOfArrays);

  bool mayHave(std::uint32_t array, std::uint64_t page) const noexcept;
  /// Which of `count` pages from `first` are most likely there. Empty where it cannot be told.
  std::vector<bool> look(std::uint32_t array, std::uint64_t first, std::uint64_t count) const noexcept;
  /// A page, whose bytes are in `buffer`, as large as the largest. Nothing where it is not there.
  std::optional<StoredPage> read(std::uint32_t array, std::uint64_t page,
                                 std::span<std::byte> buffer) const noexcept;
  void keep(std::uint32_t array, std::uint64_t page, const StoredPage& stored) const noexcept;
  const std::filesystem::path& path() const { return m_path; }

 private:
  struct Record;
  struct Segment {
    explicit Segment(File its) : file(std::move(its)) {}
    File file;
    std::atomic<std::int64_t> usedAt{0};  ///< seconds
  };
  /// Where the record of a page lies; nothing for a page that the data do not have.
  std::optional<std::uint64_t> placeOf(std::uint32_t array, std::uint64_t page) const;
  std::optional<Record> recordOf(std::uint32_t array, std::uint64_t page) const noexcept;
  std::filesystem::path pathOf(std::uint64_t segment) const;
  std::shared_ptr<Segment> segment(std::uint64_t number) const;
  /// The one that this program appends to, and a place in it for `bytes`.
  std::shared_ptr<Segment> ownSegment(std::uint64_t bytes, std::uint64_t& number,
                                      std::uint64_t& offset) const;

  const PageFolder& m_folder;
  const std::filesystem::path m_path;
  mutable File m_index;
  std::vector<std::uint64_t> m_firstOfArrays;  ///< numbers of first pages, and behind all
  mutable std::mutex m_mutex;
  mutable std::unordered_map<std::uint64_t, std::shared_ptr<Segment>> m_segments;
  mutable std::uint64_t m_ownNumber = 0, m_ownBytes = 0;
};

}  // namespace farfield::paging
