#pragma once
// Stores in memory, and making the checksums of changed ones right, as a forger would, so that what reads them
// gets past checksums to the rules that must hold without them.

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging::test {

using StoreBytes = std::vector<std::byte>;

/// Checksums of nodes, and of pages, that are made right at most: what points to itself ends.
struct SealLimits {
  int nodes = 1000;
  int pages = 0;
};

template <class Place>
void sealPart(Place& place, const StoreBytes& store) {
  if (place.offset >= kPayloadStart && place.offset <= store.size() &&
      place.bytes <= store.size() - place.offset)
    place.checksum = checksum(std::span(store).subspan(place.offset, place.bytes));
}

/// Makes the checksums below the node at `place` right, then its own. Where nodes overlap some stay wrong,
/// which is an input like any other. `level` 0: a leaf's places.
inline void sealNode(NodePlace& place, int level, int components, StoreBytes& store, SealLimits& left) {
  if (place.offset < kPayloadStart || place.offset > store.size() ||
      place.bytes > store.size() - place.offset || --left.nodes < 0)
    return;
  const auto record = static_cast<std::uint64_t>(childRecordBytes(components));
  for (std::uint64_t at = 0; level > 0 && at + record <= place.bytes; at += record) {
    std::byte* const places = store.data() + place.offset + at;
    auto child = load<NodePlace>(places);
    sealNode(child, level - 1, components, store, left);
    farfield::store(places, child);
    auto summaries = load<NodePlace>(places + sizeof(NodePlace));
    sealPart(summaries, store);
    farfield::store(places + sizeof(NodePlace), summaries);
  }
  for (std::uint64_t at = 0; level == 0 && at + sizeof(PagePlace) <= place.bytes && --left.pages >= 0;
       at += sizeof(PagePlace)) {
    std::byte* const pageRecord = store.data() + place.offset + at;
    auto page = load<PagePlace>(pageRecord);
    sealPart(page, store);
    farfield::store(pageRecord, page);
  }
  sealPart(place, store);
}

/// Below all roots of `catalog`.
inline void sealIndices(Catalog& catalog, StoreBytes& store, SealLimits left) {
  for (std::size_t n = 0; n < catalog.indices.size(); ++n) {
    const ArrayDescription& array = catalog.description.arrays[n];
    const detail::IndexShape shape(array.pageCount(), array.components);
    sealNode(catalog.indices[n].root, shape.levels(), array.components, store, left);
  }
}

inline void sealTrailer(Trailer& trailer) {
  trailer.checksum =
      checksum(std::as_bytes(std::span(&trailer, 1)).first(sizeof trailer - sizeof trailer.checksum));
}

/// Appends the catalog and a trailer that leads to it.
inline void appendCatalog(const std::string& text, StoreBytes& store) {
  Trailer trailer;
  const auto bytes = std::as_bytes(std::span(text));
  trailer.catalog = {store.size(), text.size(), checksum(bytes)};
  store.insert(store.end(), bytes.begin(), bytes.end());
  trailer.fileBytes = store.size() + sizeof trailer;
  trailer.version = text.find("\"stripes\"") == std::string::npos ? kStripedVersion - 1 : kStripedVersion;
  sealTrailer(trailer);
  const auto end = std::as_bytes(std::span(&trailer, 1));
  store.insert(store.end(), end.begin(), end.end());
}

}  // namespace farfield::paging::test
