#pragma once
// Checks that a store is whole, apart from its pages: every byte of the file belongs to a page, the index,
// the catalog, the trailer, or HDF5's own structures, and each of these is compared with a checksum.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/pages/piecewise_checksum.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging {

/// Reads all of the store but its pages, at all levels of detail: every index node with its summaries, the
/// catalog, the trailer, HDF5's structures, and the zeros between them. Checks that pages and nodes fill
/// their part of the file without a gap. Returns one line for each part that has no checksum (none in stores
/// of today). Memory for one node of each level is claimed from `account`. Throws Corrupt, Io, OverBudget,
/// Cancelled.
std::vector<std::string> checkStore(const ByteObject& object, MemoryAccount& account,
                                    const std::stop_token& stop = {});

namespace detail {

/// The checksum of HDF5's structures, as in the trailer: of the bytes before the pages, then of those between
/// catalog and trailer. Fed in pieces of any size.
class StructuresChecksum {
 public:
  void add(std::span<const std::byte> bytes) { m_bytes.add(bytes); }
  /// The kPayloadStart bytes before the pages. A GrowthNote in them counts as zeros, and is replaced by them.
  void addHead(std::span<std::byte> head);
  /// Never 0, which means that a store has none.
  std::uint64_t value() const;

 private:
  PiecewiseChecksum m_bytes;
};

}  // namespace detail
}  // namespace farfield::paging
