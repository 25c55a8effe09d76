#pragma once
// HDF5's B-tree of version 1 over the chunks of a dataset: nearly all files have it. A look-up goes from the root to a leaf, and reads the
// nodes on its way that are not kept.

#include <list>
#include <mutex>
#include <unordered_map>

#include "plugins/hdf5/chunk_index.h"

namespace farfield::hdf5 {

class ChunkTree final : public ChunkIndex {
 public:
  /// `root`: its address. Nothing is read yet.
  ChunkTree(IndexedDataset dataset, std::uint64_t root);
  Place place(std::int64_t chunk) const override;
  std::optional<Place> placeIfKnown(std::int64_t chunk) const override;
  void expect(std::int64_t chunk) const noexcept override;

  /// No file says more: twice a number of 16 bits.
  static constexpr unsigned kMostTreeEntries = 2 * 65535;

 private:
  /// What lies from chunk number `first` on, until that of the next entry.
  struct Entry {
    std::int64_t first = 0;
    std::uint64_t address = 0;             ///< of a node or of a chunk
    std::uint32_t bytes = 0, skipped = 0;  ///< of a chunk
  };
  struct Node {
    int level = 0;  ///< 0: its entries are chunks
    std::vector<Entry>
        entries;  ///< `first` does not fall; numbers of chunks that exist, except in the last, which is the end
  };
  using NodePointer = std::shared_ptr<const Node>;
  /// Where a look-up stands: the node at `address`, which must be of a level below `above`.
  struct Step {
    std::uint64_t address = 0;
    int above = 0;
  };

  std::uint64_t nodeBytes() const;
  NodePointer kept(std::uint64_t address) const;
  NodePointer read(const Step& step) const;
  void keep(std::uint64_t address, const NodePointer& node) const;
  /// True with the place (0 bytes: not stored), or false with the next step. Throws Corrupt.
  bool lookIn(const Node& node, std::int64_t chunk, Step& step, Place& place) const;
  /// The same as far as nodes are kept: false with the step to the first that is not.
  bool lookInKept(std::int64_t chunk, Step& step, Place& place) const;
  std::int64_t firstChunkFrom(const std::uint64_t* offsets, bool& isOne) const;

  IndexedDataset m_dataset;
  std::uint64_t m_root;
  std::vector<std::int64_t> m_counts,
      m_strides;  ///< chunks along each dimension, and chunk numbers from one to the next
  std::int64_t m_chunkCount = 1;
  mutable std::mutex m_mutex;
  struct Kept {
    NodePointer node;
    std::list<std::uint64_t>::iterator use;
  };
  mutable std::list<std::uint64_t> m_recent;  ///< addresses of nodes, used last first
  mutable std::unordered_map<std::uint64_t, Kept> m_nodes;
  mutable std::size_t m_entries = 0;  ///< in all kept nodes
};

}  // namespace farfield::hdf5
