#include "core/paging/writing/hdf5_objects.h"

#include <algorithm>
#include <array>

namespace farfield::paging::detail {
namespace {

/// Registered numbers of HDF5 filters.
constexpr H5Z_filter_t kLz4Filter = 32004, kZstdFilter = 32015;
constexpr std::uint64_t kPlacesAtATime = 4096;

hid_t fileType(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
      return H5T_IEEE_F32LE;
    case ScalarType::F64:
      return H5T_IEEE_F64LE;
    case ScalarType::U8:
      return H5T_STD_U8LE;
    case ScalarType::I8:
      return H5T_STD_I8LE;
    case ScalarType::U16:
      return H5T_STD_U16LE;
    case ScalarType::I16:
      return H5T_STD_I16LE;
    case ScalarType::I32:
      return H5T_STD_I32LE;
  }
  return -1;
}

void writeNumbers(hid_t object, const char* name, hid_t stored, hid_t inMemory, const void* values,
                  hsize_t count) {
  const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  const Hdf5Id attribute(H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  checkHdf5(H5Awrite(attribute, inMemory, values), "write an attribute");
}

/// Numbers along (T, nk, nj, ni, c), and those of them that a dataset has.
using AllAxes = std::array<hsize_t, 5>;
struct DatasetAxes {
  int rank = 0;
  std::array<std::size_t, 5> axes{};

  AllAxes of(const AllAxes& all) const {
    AllAxes its{};
    for (std::size_t n = 0; n < static_cast<std::size_t>(rank); ++n) its[n] = all[axes[n]];
    return its;
  }
};

DatasetAxes axesOf(const ArrayDescription& array, TimeAxis timeAxis, FlatAxes flatAxes) {
  const Index3& dims = array.layout.dims();
  DatasetAxes found;
  for (std::size_t a = timeAxis == TimeAxis::Leading ? 0 : timeAxis == TimeAxis::None ? 1 : 3; a < 5; ++a) {
    if (a == 4 && array.components == 1) continue;
    const bool isFlat = a >= 1 && a <= 3 && dims[3 - a] == 1;
    // of one node alone an axis stays
    if (isFlat && flatAxes == FlatAxes::LeftOut && (a < 3 || product(dims) > 1)) continue;
    found.axes[static_cast<std::size_t>(found.rank++)] = a;
  }
  return found;
}

/// Enters the pages of an array into the chunk index of `dataset`.
void placeChunks(PlacedFile& placed, hid_t dataset, const Catalog& catalog, std::uint32_t number,
                 const Journal& journal, TimeAxis timeAxis, const DatasetAxes& axes) {
  const ArrayDescription& array = catalog.description.arrays[number];
  // Both filters are skipped for a page that would not have shrunk.
  const std::uint32_t rawMask = catalog.codec == Codec::None ? 0 : 3;
  // What the library thinks it writes; the driver drops it.
  const std::byte nothing{};
  std::vector<std::byte> records;
  const auto pages = static_cast<std::uint64_t>(array.pageCount());
  for (std::uint64_t first = 0; first < pages; first += kPlacesAtATime) {
    const std::uint64_t count = std::min(kPlacesAtATime, pages - first);
    journal.readRecords(number, first, count, records);
    for (std::uint64_t n = 0; n < count; ++n) {
      const auto place = load<PagePlace>(records.data() + n * (records.size() / count));
      const IndexBox box = array.boxOf(first + n);
      const std::int64_t step = array.stepOf(first + n);
      const std::int64_t i = box.first[0] + (timeAxis == TimeAxis::Chained ? step * chainedStride(array) : 0);
      const AllAxes offset = axes.of({static_cast<hsize_t>(step), static_cast<hsize_t>(box.first[2]),
                                      static_cast<hsize_t>(box.first[1]), static_cast<hsize_t>(i), 0});
      placed.announce(place.offset);
      checkHdf5(H5Dwrite_chunk(dataset, H5P_DEFAULT, place.flags & kPageStoredRaw ? rawMask : 0,
                               offset.data(), place.bytes, &nothing),
                "enter a page");
      if (placed.next) throw Io("HDF5 took no space for a page");
    }
  }
}

void writeDataset(hid_t parent, const char* name, hid_t stored, hid_t inMemory, const void* values,
                  hsize_t count) {
  const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  const Hdf5Id creation = datasetCreation();
  const Hdf5Id dataset(H5Dcreate2(parent, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
                       "make a dataset");
  checkHdf5(H5Dwrite(dataset, inMemory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "write a dataset");
}

}  // namespace

Hdf5Id datasetCreation() {
  Hdf5Id list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a dataset creation list");
  checkHdf5(H5Pset_obj_track_times(list, false), "leave out dates");
  checkHdf5(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER), "leave out filling");
  return list;
}

void setFilters(hid_t creation, Codec codec) {
  if (codec == Codec::None) return;
  checkHdf5(H5Pset_shuffle(creation), "set the shuffle filter");
  // Optional, so that the library accepts filters that it does not have here; reading needs them
  // nevertheless.
  switch (codec) {
    case Codec::Gzip:
      checkHdf5(H5Pset_deflate(creation, 4), "set the deflate filter");
      break;
    case Codec::Zstd: {
      const unsigned level = 1;
      checkHdf5(H5Pset_filter(creation, kZstdFilter, H5Z_FLAG_OPTIONAL, 1, &level), "set the zstd filter");
      break;
    }
    case Codec::Lz4:
      checkHdf5(H5Pset_filter(creation, kLz4Filter, H5Z_FLAG_OPTIONAL, 0, nullptr), "set the lz4 filter");
      break;
    case Codec::None:
      break;
  }
}

Hdf5Id makeGroup(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make a group"};
}

void writeText(hid_t object, const std::string& name, const std::string& text, H5T_cset_t set) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  checkHdf5(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)), "size a text");
  checkHdf5(H5Tset_cset(type, set), "set the encoding of a text");
  checkHdf5(H5Tset_strpad(type, H5T_STR_NULLPAD), "set the padding of a text");
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace");
  const Hdf5Id attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  checkHdf5(H5Awrite(attribute, type, text.empty() ? "" : text.data()), "write an attribute");
}

void writeIntegers(hid_t object, const char* name, std::span<const std::int64_t> values) {
  writeNumbers(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), values.size());
}

void writeReals(hid_t object, const char* name, std::span<const double> values) {
  writeNumbers(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), values.size());
}

void writeVec3(hid_t object, const char* name, const Vec3& value) {
  writeReals(object, name, std::array{value.x, value.y, value.z});
}

void writeRealDataset(hid_t parent, const char* name, std::span<const double> values) {
  writeDataset(parent, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), values.size());
}

void writeIntegerDataset(hid_t parent, const char* name, std::span<const std::int64_t> values) {
  writeDataset(parent, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), values.size());
}

void placeBytes(PlacedFile& placed, hid_t parent, const char* name, ByteRange range) {
  const hsize_t count = range.bytes;
  const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  const Hdf5Id creation = datasetCreation();
  checkHdf5(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "set when space is allocated");
  placed.announce(range.offset);
  Hdf5Id dataset(H5Dcreate2(parent, name, H5T_STD_U8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
                 "make a dataset");
  dataset.close("close a dataset");
  if (placed.next) throw Io("HDF5 took no space for a dataset");
}

std::int64_t chainedStride(const ArrayDescription& array) {
  const std::int64_t extent = array.layout.extent()[0], nodes = array.layout.dims()[0];
  return (nodes + extent - 1) / extent * extent;
}

void placeArray(PlacedFile& placed, hid_t parent, const std::string& name, const Catalog& catalog,
                std::uint32_t number, const Journal& journal, TimeAxis timeAxis, FlatAxes flatAxes) {
  const ArrayDescription& array = catalog.description.arrays[number];
  const Index3 &dims = array.layout.dims(), &extent = array.layout.extent();
  const auto components = static_cast<hsize_t>(array.components);
  const auto axis = [](std::int64_t n) { return static_cast<hsize_t>(n); };
  const std::int64_t before = timeAxis == TimeAxis::Chained ? (array.steps - 1) * chainedStride(array) : 0;
  AllAxes all = {axis(array.steps), axis(dims[2]), axis(dims[1]), axis(before + dims[0]), components};
  const DatasetAxes axes = axesOf(array, timeAxis, flatAxes);
  const AllAxes size = axes.of(all),
                chunk = axes.of({1, axis(extent[2]), axis(extent[1]), axis(extent[0]), components});
  all[0] = H5S_UNLIMITED;  // steps can be appended
  const AllAxes limit = axes.of(all);
  const Hdf5Id space(H5Screate_simple(axes.rank, size.data(), limit.data()), H5Sclose, "make a dataspace");
  const Hdf5Id creation = datasetCreation();
  checkHdf5(H5Pset_chunk(creation, axes.rank, chunk.data()), "set the chunk size");
  setFilters(creation, catalog.codec);
  Hdf5Id dataset(
      H5Dcreate2(parent, name.c_str(), fileType(array.type), space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose, "make the dataset of an array");
  placeChunks(placed, dataset, catalog, number, journal, timeAxis, axes);
  if (!array.componentNames.empty()) {
    std::string names;
    for (const std::string& component : array.componentNames) names += (names.empty() ? "" : ",") + component;
    if (names.size() <= kMaxAttributeBytes) writeText(dataset, "components", names);
  }
  dataset.close("close a dataset");
}

}  // namespace farfield::paging::detail
