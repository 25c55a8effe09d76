#include "core/paging/store/hdf5_structures.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace farfield::paging::detail {
namespace {

/// Registered numbers of HDF5 filters.
constexpr H5Z_filter_t kLz4Filter = 32004, kZstdFilter = 32015;
/// Attributes live in object headers, which have an end; the catalog has all of them at any length.
constexpr std::size_t kMaxAttributeBytes = 16384, kMaxAttributes = 256;
constexpr std::uint64_t kPlacesAtATime = 4096;

hid_t fileType(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
      return H5T_IEEE_F32LE;
    case ScalarType::F64:
      return H5T_IEEE_F64LE;
    case ScalarType::U8:
      return H5T_STD_U8LE;
    case ScalarType::U16:
      return H5T_STD_U16LE;
    case ScalarType::I16:
      return H5T_STD_I16LE;
    case ScalarType::I32:
      return H5T_STD_I32LE;
  }
  return -1;
}

Hdf5Id makeGroup(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make a group"};
}

/// A creation list for datasets whose headers hold no date (equal stores are equal bytes) and whose values
/// are all written.
Hdf5Id datasetCreation() {
  Hdf5Id list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a dataset creation list");
  checkHdf5(H5Pset_obj_track_times(list, false), "leave out dates");
  checkHdf5(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER), "leave out filling");
  return list;
}

void writeText(hid_t object, const std::string& name, const std::string& text) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  checkHdf5(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)), "size a text");
  checkHdf5(H5Tset_cset(type, H5T_CSET_UTF8), "set the encoding of a text");
  checkHdf5(H5Tset_strpad(type, H5T_STR_NULLPAD), "set the padding of a text");
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace");
  const Hdf5Id attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  checkHdf5(H5Awrite(attribute, type, text.empty() ? "" : text.data()), "write an attribute");
}

void writeNumbers(hid_t object, const char* name, hid_t stored, hid_t inMemory, const void* values,
                  hsize_t count) {
  const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  const Hdf5Id attribute(H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "make an attribute");
  checkHdf5(H5Awrite(attribute, inMemory, values), "write an attribute");
}
void writeIndex3(hid_t object, const char* name, const Index3& value) {
  writeNumbers(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, value.data(), 3);
}
void writeVec3(hid_t object, const char* name, const Vec3& value) {
  const std::array<double, 3> numbers{value.x, value.y, value.z};
  writeNumbers(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, numbers.data(), 3);
}

/// A one-dimensional dataset of bytes that are in the file.
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

void writeTimes(hid_t parent, const std::vector<double>& times) {
  const hsize_t count = times.size();
  const Hdf5Id space(H5Screate_simple(1, &count, nullptr), H5Sclose, "make a dataspace");
  const Hdf5Id creation = datasetCreation();
  const Hdf5Id dataset(H5Dcreate2(parent, "time", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                       H5Dclose, "make the dataset of times");
  checkHdf5(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()),
            "write the times");
}

void setFilters(hid_t creation, Codec codec) {
  if (codec == Codec::None) return;
  checkHdf5(H5Pset_shuffle(creation), "set the shuffle filter");
  // Optional, so that the library takes filters that it does not have here; reading needs them all the same.
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

/// Enters the pages of an array into the chunk index of `dataset`.
void placeChunks(PlacedFile& placed, hid_t dataset, const ArrayDescription& array, std::uint32_t number,
                 Codec codec, const Journal& journal) {
  // Both filters are left out for a page that would not have shrunk.
  const std::uint32_t rawMask = codec == Codec::None ? 0 : 3;
  // What the library would write; the driver drops it.
  const std::byte nothing{};
  std::vector<std::byte> records;
  const auto pages = static_cast<std::uint64_t>(array.pageCount());
  for (std::uint64_t first = 0; first < pages; first += kPlacesAtATime) {
    const std::uint64_t count = std::min(kPlacesAtATime, pages - first);
    journal.readRecords(number, first, count, records);
    for (std::uint64_t n = 0; n < count; ++n) {
      const auto place = load<PagePlace>(records.data() + n * (records.size() / count));
      const IndexBox box = array.boxOf(first + n);
      const hsize_t offset[5] = {static_cast<hsize_t>(array.stepOf(first + n)),
                                 static_cast<hsize_t>(box.first[2]), static_cast<hsize_t>(box.first[1]),
                                 static_cast<hsize_t>(box.first[0]), 0};
      placed.announce(place.offset);
      checkHdf5(H5Dwrite_chunk(dataset, H5P_DEFAULT, place.flags & kPageStoredRaw ? rawMask : 0, offset,
                               place.bytes, &nothing),
                "enter a page");
      if (placed.next) throw Io("HDF5 took no space for a page");
    }
  }
}

void placeArray(PlacedFile& placed, hid_t block, const ArrayDescription& array, std::uint32_t number,
                Codec codec, const Journal& journal) {
  const int rank = array.components > 1 ? 5 : 4;
  const Index3 &dims = array.layout.dims(), &extent = array.layout.extent();
  const auto components = static_cast<hsize_t>(array.components);
  const auto axis = [](std::int64_t n) { return static_cast<hsize_t>(n); };
  const hsize_t size[5] = {axis(array.steps), axis(dims[2]), axis(dims[1]), axis(dims[0]), components};
  const hsize_t chunk[5] = {1, axis(extent[2]), axis(extent[1]), axis(extent[0]), components};
  const hsize_t limit[5] = {H5S_UNLIMITED, size[1], size[2], size[3], size[4]};
  const Hdf5Id space(H5Screate_simple(rank, size, limit), H5Sclose, "make a dataspace");
  const Hdf5Id creation = datasetCreation();
  checkHdf5(H5Pset_chunk(creation, rank, chunk), "set the chunk size");
  setFilters(creation, codec);
  Hdf5Id dataset(
      H5Dcreate2(block, array.name.c_str(), fileType(array.type), space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose, "make the dataset of an array");
  placeChunks(placed, dataset, array, number, codec, journal);
  if (!array.componentNames.empty()) {
    std::string names;
    for (const std::string& name : array.componentNames) names += (names.empty() ? "" : ",") + name;
    if (names.size() <= kMaxAttributeBytes) writeText(dataset, "components", names);
  }
  dataset.close("close a dataset");
}

void writeBlock(PlacedFile& placed, hid_t blocks, const Catalog& catalog, int number, std::uint32_t& array,
                const Journal& journal) {
  const BlockDescription& block = catalog.description.blocks[static_cast<std::size_t>(number)];
  char name[16];
  std::snprintf(name, sizeof name, "%04d", number);
  const Hdf5Id group = makeGroup(blocks, name);
  writeIndex3(group, "dims", block.dims);
  writeText(group, "kind", block.kind == GridKind::Regular ? "regular" : "curvilinear");
  if (block.kind == GridKind::Regular) {
    writeVec3(group, "origin", block.origin);
    writeVec3(group, "spacing", block.spacing);
  }
  const std::vector<ArrayDescription>& arrays = catalog.description.arrays;
  for (; array < arrays.size() && arrays[array].block == number; ++array)
    placeArray(placed, group, arrays[array], array, catalog.codec, journal);
}

}  // namespace

void writeHdf5Structures(PlacedFile& placed, const Catalog& catalog, const Journal& journal,
                         ByteRange indexBytes, ByteRange catalogBytes) {
  const QuietHdf5 quiet;
  Hdf5Id file(createPlacedFile(placed), H5Fclose, "make a file");
  const Hdf5Id root = makeGroup(file, "farfield");
  writeText(root, "codec", nameOf(catalog.codec));
  std::size_t written = 0;
  for (const auto& [key, value] : catalog.description.attributes)
    if (!key.empty() && key != "codec" && value.size() <= kMaxAttributeBytes && key.size() < 1024 &&
        key.find('\0') == std::string::npos && written++ < kMaxAttributes)
      writeText(root, key, value);
  writeTimes(root, catalog.description.times);
  placeBytes(placed, root, "index", indexBytes);
  placeBytes(placed, root, "catalog", catalogBytes);
  const Hdf5Id blocks = makeGroup(root, "blocks");
  std::uint32_t array = 0;
  for (std::size_t n = 0; n < catalog.description.blocks.size(); ++n)
    writeBlock(placed, blocks, catalog, static_cast<int>(n), array, journal);
  file.close("close a file");
}

}  // namespace farfield::paging::detail
