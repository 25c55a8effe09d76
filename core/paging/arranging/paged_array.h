#pragma once
// An array that may be larger than memory: its pages are in memory while they are used, and otherwise in a
// temporary file or where they came from. For single values in an order that stays mostly near itself.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/file.h"
#include "core/base/memory_account.h"

namespace farfield::paging {

/// Not thread-safe.
class PagedArray {
 public:
  /// Fills bytes from `offset` on for the first time.
  using Load = std::function<void(std::uint64_t offset, std::span<std::byte> out)>;
  /// `items` items of `itemBytes`. Uses at most `memoryBytes`, at least a few pages, claimed from `account`. Null
  /// `load`: all bytes are 0xff. Temporary files go into `folder`. Throws OverBudget.
  PagedArray(std::uint64_t items, std::uint64_t itemBytes, std::uint64_t memoryBytes, MemoryAccount& account,
             std::filesystem::path folder, Load load = nullptr);

  /// Valid until the next call. Throws Io and what `load` throws.
  const std::byte* at(std::uint64_t item) { return place(item, false); }
  std::byte* change(std::uint64_t item) { return place(item, true); }

  template <class T>
  T get(std::uint64_t item) {
    T value;
    std::memcpy(&value, at(item), sizeof value);
    return value;
  }
  template <class T>
  void set(std::uint64_t item, const T& value) {
    std::memcpy(change(item), &value, sizeof value);
  }
  /// Writes all of it, in order, to `file` from `offset` on.
  void writeTo(File& file, std::uint64_t offset);

 private:
  static constexpr std::uint64_t kPageBytes = 32 * 1024;
  static constexpr std::int32_t kNone = -1;
  struct Frame {
    std::int64_t page = kNone;
    bool dirty = false, used = false;
    std::vector<std::byte> bytes;
  };
  std::byte* place(std::uint64_t item, bool change);
  Frame& bring(std::uint64_t page);
  std::size_t bytesOf(std::uint64_t page) const;

  std::uint64_t m_items, m_itemBytes, m_perPage;
  std::filesystem::path m_folder;
  Load m_load;
  MemoryClaim m_claim;
  std::size_t m_mostFrames;
  std::vector<std::int32_t> m_frameOf;  ///< of each page
  std::vector<bool> m_written;          ///< pages that are in the file
  std::vector<Frame> m_frames;
  std::size_t m_hand = 0;
  File m_file;
};

}  // namespace farfield::paging
