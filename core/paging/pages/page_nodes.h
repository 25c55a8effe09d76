#pragma once
// From a stored page to its nodes, and from those into an array.

#include <cstdint>
#include <span>

#include "core/base/geometry.h"
#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Checks `page`, page number `pageNumber` of `array`, against its checksum and decodes it into `nodes`: its
/// nodes without padding (boxOf(pageNumber).size x nodeBytes), i fastest. `scratch` and `padded` are reused
/// between calls; `padded` grows to a full page if the page has padding. Throws Corrupt.
void decodeNodes(const ArrayDescription& array, std::uint64_t pageNumber, const StoredPage& page,
                 std::span<std::byte> nodes, Scratch& scratch, Scratch& padded);

/// Copies `size` nodes of `nodeBytes` each, out of an array of `fromDims` nodes at `fromFirst` into one of
/// `toDims` at `toFirst`. The ranges are inside both.
void copyNodes(const std::byte* from, const Index3& fromDims, const Index3& fromFirst, std::byte* to,
               const Index3& toDims, const Index3& toFirst, const Index3& size, std::int64_t nodeBytes);

}  // namespace farfield::paging
