#pragma once
// The paged store on disk, in the terms that its writer and its readers share.
//
// A store is an ordinary HDF5 file whose chunks are pages, followed by a 64-byte trailer that HDF5
// ignores. Reading pages needs no HDF5: the trailer leads to a *catalog* (the DatasetDescription, as
// JSON) and to the *index* (where each page lies), both little-endian bytes inside HDF5 datasets.
//
//   HDF5: /farfield/blocks/NNNN/<array>   (T, nk, nj, ni[, c]), chunk (1, page extent …[, c])
//         /farfield/time  /farfield/catalog (bytes)  /farfield/index (bytes)
//   trailer: the last 64 bytes of the file; see Trailer.
//
// The index is a tree. Each array has its own run of leaves of up to 4,096 pages; a leaf has two parts that
// are fetched apart: places (offset, stored bytes, checksum) for whoever reads pages, and summaries (min
// and max per component; for coordinates that is their bounding box) for whoever chooses pages. Inner nodes hold the place, the checksum
// and the merged summary of up to 256 children. Every node is hashed by its parent, the root by the trailer.

#include <cstdint>
#include <span>

#include "core/base/bytes.h"

namespace farfield::paging {

constexpr int kPagesPerLeaf = 4096;
constexpr int kChildrenPerNode = 256;
constexpr std::uint32_t kStoreVersion = 1;

/// Where one page lies in the file.
struct PagePlace {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;     ///< stored; 0: the page was not written
  std::uint32_t flags = 0;     ///< 1: stored without the codec (it would not have shrunk)
  std::uint64_t checksum = 0;  ///< of the stored bytes
};
static_assert(sizeof(PagePlace) == 24);

/// A byte range of the store with the checksum of what it must hold.
struct NodePlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(NodePlace) == 24);

/// The last 64 bytes of a finished store.
struct Trailer {
  char magic[8] = {'F', 'a', 'r', 'F', 'i', 'e', 'l', 'd'};
  std::uint32_t version = kStoreVersion;
  std::uint32_t reserved = 0;
  NodePlace catalog;
  std::uint64_t complete = 1;  ///< 0 while pages are still being added
  std::uint64_t checksum = 0;  ///< of the 56 bytes before it
};
static_assert(sizeof(Trailer) == 64);

}  // namespace farfield::paging
