#pragma once
// Stored pages of remote data in a folder of this machine, so that what was brought over a network once need not be
// brought again by a later run. A file for each page, a folder for each data set as it was (its URL and what its server
// says of its files); pages of a data set that was replaced are not found any more and leave in time.
//
// Several programs use one folder at a time: a page is written in one piece under a name that only one of them gets to
// make, and is checked whenever it is read: length, numbers and the checksum of its bytes stand in front. What a killed
// program left half written is therefore no page, and goes when it is met. The folder is kept below its size by letting
// go what was used longest ago.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

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

  /// In front of the bytes of a page.
  static constexpr std::size_t kHeadBytes = 40;

  /// The folder of what `identity` says; empty where there is none and none can be made.
  std::filesystem::path folderOf(const std::string& identity) const noexcept;
  /// A page, whose bytes are in `buffer` (kHeadBytes and the largest page). Nothing where it is not there.
  std::optional<StoredPage> read(const std::filesystem::path& set, std::uint32_t array, std::uint64_t page,
                                 std::span<std::byte> buffer) const noexcept;
  bool mayHave(const std::filesystem::path& set, std::uint32_t array, std::uint64_t page) const noexcept;
  void keep(const std::filesystem::path& set, std::uint32_t array, std::uint64_t page,
            const StoredPage& stored) const noexcept;
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

}  // namespace farfield::paging
