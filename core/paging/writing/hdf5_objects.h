#pragma once
// The HDF5 objects of a store: groups, attributes, and datasets around bytes that are already in the file.
// All functions throw Io with HDF5's own message.

#include <string>

#include "core/base/geometry.h"
#include "core/paging/store/catalog.h"
#include "core/paging/writing/journal.h"
#include "core/paging/writing/placed_hdf5.h"

namespace farfield::paging::detail {

/// Attributes live in object headers, whose size is limited; the catalog has all of them at any length.
constexpr std::size_t kMaxAttributeBytes = 16384, kMaxAttributes = 256;

Hdf5Id makeGroup(hid_t parent, const std::string& name);

/// Attributes of `object`.
void writeText(hid_t object, const std::string& name, const std::string& text,
               H5T_cset_t set = H5T_CSET_UTF8);
void writeIntegers(hid_t object, const char* name, std::span<const std::int64_t> values);
void writeReals(hid_t object, const char* name, std::span<const double> values);
void writeVec3(hid_t object, const char* name, const Vec3& value);

/// One-dimensional datasets whose values HDF5 writes itself.
void writeRealDataset(hid_t parent, const char* name, std::span<const double> values);
void writeIntegerDataset(hid_t parent, const char* name, std::span<const std::int64_t> values);

struct ByteRange {
  std::uint64_t offset = 0, bytes = 0;
};
/// A one-dimensional dataset of bytes that are already in the file.
void placeBytes(PlacedFile& placed, hid_t parent, const char* name, ByteRange range);

/// A creation list for datasets without dates in their headers (equal stores are equal bytes) and without
/// fill values (all values are written).
Hdf5Id datasetCreation();
/// The filters of a store's pages.
void setFilters(hid_t creation, Codec codec);

enum class TimeAxis {
  Leading,  ///< (T, nk, nj, ni[, c])
  None,     ///< (nk, nj, ni[, c]), for static arrays
  Chained   ///< (n[, c]), for arrays of one axis: the steps after each other, chainedStride() apart
};
/// Axes of one node: VTK wants values without them.
enum class FlatAxes { Kept, LeftOut };
/// Nodes from the first of a step to the first of the next in a chained dataset: whole pages.
std::int64_t chainedStride(const ArrayDescription& array);
/// A dataset `name` in `parent` from the pages of array number `array` of the catalog. Pages may be entered in several
/// datasets.
void placeArray(PlacedFile& placed, hid_t parent, const std::string& name, const Catalog& catalog,
                std::uint32_t array, const Journal& journal, TimeAxis timeAxis,
                FlatAxes flatAxes = FlatAxes::Kept);

}  // namespace farfield::paging::detail
