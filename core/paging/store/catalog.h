#pragma once
// The catalog of a store: the DatasetDescription, the codec, and the root of each array's index, as JSON.
// JSON, because it is read once per opening, can get new keys without a new version, and can be read by a
// person (h5dump shows it).

#include <cstdint>
#include <string>
#include <vector>

#include "core/paging/pages/codec.h"
#include "core/paging/pages/description.h"
#include "core/paging/store/page_summary.h"
#include "core/paging/store/store_format.h"
#include "core/paging/store/striped_set.h"

namespace farfield::paging {

struct Catalog {
  DatasetDescription description;
  Codec codec = Codec::Zstd;
  struct Index {
    NodePlace root;
    PageSummary summary;  ///< of the whole array
  };
  std::vector<Index> indices;  ///< one per array of the description
  Stripes stripes;             ///< no parts: pages lie in the store itself
  /// What lies between the pages: index, catalog, structures and trailer of what the store was before it grew, in the
  /// order of the file. The checksums are those of StructuresChecksum.
  std::vector<NodePlace> left = {};
  std::uint64_t leftBytes() const;
};

/// The description alone, for comparing two: equal text means equal descriptions.
std::string descriptionText(const DatasetDescription& description);
/// The inverse. Throws Corrupt on anything that is not a valid description.
DatasetDescription descriptionFromText(const std::string& text);

std::string catalogText(const Catalog& catalog);
/// The Trailer::version of a store with this description.
std::uint32_t storeVersionOf(const DatasetDescription& description);
/// Parses, and checks everything that can be checked without the rest of the file. Throws Corrupt.
Catalog catalogFromText(const std::string& text);

}  // namespace farfield::paging
