#pragma once
// The indexes of HDF5 1.10 for datasets that cannot grow: one chunk, chunks in a row, and an array of places.

#include <list>
#include <mutex>
#include <unordered_map>

#include "plugins/hdf5/chunk_layout.h"

namespace farfield::hdf5 {

/// One chunk, or chunks in a row: places that follow from the layout.
class ChunkRow final : public ChunkIndex {
 public:
  ChunkRow(const IndexedDataset& dataset, const ChunkLayout& layout);
  Place place(std::int64_t chunk) const override;
  std::optional<Place> placeIfKnown(std::int64_t chunk) const override { return place(chunk); }

 private:
  std::uint64_t m_begin, m_each;
  std::uint32_t m_skipped;
};

/// A fixed array: entries in one block, or in pages of a block.
class ChunkFixedArray final : public ChunkIndex {
 public:
  /// Reads the head of the array at `address`. Waits. Throws Corrupt, Io; null if it is of a kind that is not read here.
  static std::unique_ptr<const ChunkIndex> open(const IndexedDataset& dataset, std::uint64_t address);
  Place place(std::int64_t chunk) const override;
  std::optional<Place> placeIfKnown(std::int64_t chunk) const override;
  void expect(std::int64_t chunk) const noexcept override;

 private:
  struct Head {
    bool isFiltered = false;
    int entryBytes = 0;
    std::uint64_t count = 0;  ///< entries
    std::uint64_t pageEntries = 0;
    std::uint64_t pages = 0;  ///< 0: the entries lie in the block itself
    std::uint64_t block = 0;  ///< its address
  };
  ChunkFixedArray(IndexedDataset dataset, const Head& head, std::uint64_t address);
  using Places = std::shared_ptr<const std::vector<Place>>;

  std::uint64_t entriesOf(std::uint64_t page) const;
  std::uint64_t pageBegin(std::uint64_t page) const;
  std::uint64_t pageBytes(std::uint64_t page) const;
  Places kept(std::uint64_t page) const;
  Places read(std::uint64_t page) const;
  std::vector<std::byte> bytesAt(std::uint64_t address, std::uint64_t bytes) const;

  IndexedDataset m_dataset;
  Head m_head;
  std::uint64_t m_address, m_chunkBytes;
  mutable std::mutex m_mutex;
  mutable std::vector<std::byte> m_written;  ///< a bit per page, the first the highest; empty: not read
  mutable std::list<std::pair<std::uint64_t, Places>> m_pages;  ///< used last first
};

}  // namespace farfield::hdf5
