#pragma once
// The message in a dataset's object header that says how its chunks are found.

#include "plugins/hdf5/chunk_index.h"

namespace farfield::hdf5 {

enum class IndexKind {
  Tree,        ///< a B-tree of version 1
  Single,      ///< one chunk
  Implicit,    ///< chunks in a row, all stored
  FixedArray,  ///< of places
};

struct ChunkLayout {
  IndexKind kind = IndexKind::Tree;
  std::uint64_t address = 0;  ///< kNowhere: nothing is stored
  std::uint64_t bytes = 0;    ///< of Single: stored
  std::uint32_t skipped = 0;  ///< of Single: filters that were left out
};

/// Nothing if the header or the layout are not of a kind that is read here, or do not fit `dataset`. Waits. Throws Corrupt, Io.
std::optional<ChunkLayout> chunkLayoutOf(const IndexedDataset& dataset);

}  // namespace farfield::hdf5
