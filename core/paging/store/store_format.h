#pragma once
// The paged store on disk: what its writer and its readers share.
//
// A store is an ordinary HDF5 file whose chunks are pages, followed by a 64-byte trailer that HDF5
// ignores. Reading pages needs no HDF5: the trailer leads to a *catalog* (the DatasetDescription, as
// JSON; catalog.h) and to the *index* (where each page lies), both little-endian bytes inside HDF5 datasets.
//
//   HDF5: /farfield/blocks/NNNN/<array>   (T, nk, nj, ni[, c]), chunk (1, page extent …[, c])
//         /farfield/time  /farfield/catalog (bytes)  /farfield/index (bytes)
//   file: superblock | pages, from kPayloadStart | index nodes | catalog | HDF5's structures | trailer
//
// The index is a tree per array. Leaves cover up to 4,096 pages in the order of their numbers and have two
// parts that are read separately: places (a PagePlace per page) for reading pages, and summaries for choosing
// pages. Inner nodes have up to 256 children: level 1 above the leaves, and so on up to one root, which the
// catalog names; there is always at least level 1. A node consists of its records only, so that its size
// follows from the number of pages, and its parent has its checksum (the root's is in the catalog, the
// catalog's in the trailer).
//
//   summary record: min, max (double each) per component, then flags (u64; 1: values that are not finite
//                   exist). A component without finite values has min +inf, max -inf.
//   child record:   NodePlace of the child (of the places part, for a leaf), NodePlace of the summaries part
//                   (zeros unless a leaf), summary record of all pages below

#include <cstdint>
#include <span>

#include "core/base/bytes.h"

namespace farfield::paging {

constexpr std::int64_t kPagesPerLeaf = 4096;
constexpr std::int64_t kChildrenPerNode = 256;
/// The version that this program writes at most, and reads. It changes when an older reader would read wrong
/// values; keys of the catalog that a reader may ignore need no new one. A store gets the lowest version that
/// describes it:
///   1  arrays are what their names say (pages/role_names.h)
///   2  the catalog has the roles of arrays whose names would give a wrong one
///   3  pages are in other files (striped_set.h)
constexpr std::uint32_t kStoreVersion = 3, kStripedVersion = 3;
/// Pages begin here; HDF5's superblock lies before.
constexpr std::uint64_t kPayloadStart = 4096;
/// HDF5 keeps the stored size of a chunk in 32 bits.
constexpr std::int64_t kMaxPageBytes = (std::int64_t{1} << 32) - 1;

/// PagePlace::flags: stored without the codec, because the codec would not have shrunk it.
constexpr std::uint32_t kPageStoredRaw = 1;

/// The place of a page: where its stored bytes are in the file.
struct PagePlace {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;  ///< stored; never 0
  std::uint32_t flags = 0;
  std::uint64_t checksum = 0;  ///< of the stored bytes
  bool operator==(const PagePlace&) const = default;
};
static_assert(sizeof(PagePlace) == 24);

/// A byte range of the store, and its checksum.
struct NodePlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
  bool operator==(const NodePlace&) const = default;
};
static_assert(sizeof(NodePlace) == 24);

/// The last 64 bytes of a finished store.
struct Trailer {
  char magic[8] = {'F', 'a', 'r', 'F', 'i', 'e', 'l', 'd'};
  std::uint32_t version = 1;
  std::uint32_t reserved = 0;
  NodePlace catalog;
  std::uint64_t fileBytes = 0;  ///< size of the whole file, trailer included
  /// StructuresChecksum (store_check.h) of HDF5's own structures, before the pages and after the catalog; 0
  /// in older stores without one.
  std::uint64_t structures = 0;
  std::uint64_t checksum = 0;  ///< of the 56 bytes before it
};
static_assert(sizeof(Trailer) == 64);

/// The first bytes of OUT.part until finish() puts HDF5's superblock in their place.
constexpr char kPartialMagic[8] = {'F', 'a', 'r', 'F', 'P', 'a', 'r', 't'};

constexpr std::int64_t summaryRecordBytes(int components) {
  return std::int64_t{components} * 16 + 8;
}
constexpr std::int64_t childRecordBytes(int components) {
  return 2 * std::int64_t{sizeof(NodePlace)} + summaryRecordBytes(components);
}

}  // namespace farfield::paging
