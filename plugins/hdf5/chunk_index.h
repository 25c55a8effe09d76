#pragma once
// Where the chunks of a dataset lie, read straight from HDF5's structures in the file: without the library's one lock, and
// a node of the index at a time. Every byte of them may be hostile.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plugins/chunks/chunk_array.h"

namespace farfield::hdf5 {

/// What is known of a dataset before its index is looked at.
struct IndexedDataset {
  std::shared_ptr<const paging::ByteObject> object;
  std::uint64_t base = 0;                  ///< addresses of the file count from here: behind a user block
  int addressBytes = 8;                    ///< of an address in this file
  int lengthBytes = 8;                     ///< of a length
  unsigned treeEntries = 0;                ///< a node of a B-tree of version 1 has at most so many
  std::uint64_t header = 0;                ///< the address of its object header
  std::vector<std::int64_t> dims, chunks;  ///< slowest first
  bool hasFixedDims = false;               ///< it cannot grow
  int elementBytes = 1;
};

/// Thread-safe.
class ChunkIndex {
 public:
  using Place = chunks::PlacedChunks::Place;
  virtual ~ChunkIndex() = default;
  /// The place of a chunk, by its number (last dimension fastest). Waits for the file. Throws Corrupt, Io.
  virtual Place place(std::int64_t chunk) const = 0;
  /// The same if it is known without waiting.
  virtual std::optional<Place> placeIfKnown(std::int64_t chunk) const = 0;
  /// A hint that its place is asked for next.
  virtual void expect(std::int64_t) const noexcept {}
};

/// Null if the index is of a kind that is not read here: the library reads all. Waits. Throws Corrupt, Io.
std::unique_ptr<const ChunkIndex> chunkIndexOf(const IndexedDataset& dataset);

}  // namespace farfield::hdf5
