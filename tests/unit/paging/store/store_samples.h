#pragma once
// Data sets with a formula for every value, and stores made of them.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/paging/store/store_file.h"
#include "core/paging/writing/store_writer.h"

namespace farfield::test {

using namespace farfield::paging;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

/// Value of a sample array: smooth, but pseudorandom where the node's k is 0, so that some pages do not
/// shrink.
inline double sampleValue(std::uint32_t array, std::int64_t step, const Index3& node, int component) {
  if (node[2] == 0) {
    std::uint64_t h =
        static_cast<std::uint64_t>(node[0] + 131 * node[1] + 7919 * component + 104729 * step) + array;
    h = (h ^ h >> 13) * 0x9E3779B97F4A7C15u;
    return static_cast<double>(h >> 40) / 1000.0;
  }
  return 50 * std::sin(0.1 * static_cast<double>(node[0] + 2 * node[1])) + 3 * static_cast<double>(node[2]) +
         component + 10.0 * static_cast<double>(step) + array;
}

template <class T>
void putValue(std::byte* to, double value) {
  store(to, static_cast<T>(value));
}

inline void putValue(std::byte* to, ScalarType type, double value) {
  switch (type) {
    case ScalarType::F32:
      return putValue<float>(to, value);
    case ScalarType::F64:
      return putValue<double>(to, value);
    case ScalarType::U8:
      return putValue<std::uint8_t>(to, std::fmod(std::abs(value), 256));
    case ScalarType::I8:
      return putValue<std::int8_t>(to, std::fmod(value, 128));
    case ScalarType::U16:
      return putValue<std::uint16_t>(to, std::fmod(std::abs(value), 65536));
    case ScalarType::I16:
      return putValue<std::int16_t>(to, std::fmod(value, 32768));
    case ScalarType::I32:
      return putValue<std::int32_t>(to, value);
  }
}

/// The nodes of a box of a sample array.
inline Bytes sampleNodes(const DatasetDescription& description, std::uint32_t number, std::int64_t step,
                         const IndexBox& box) {
  const ArrayDescription& array = description.arrays[number];
  Bytes nodes(static_cast<std::size_t>(product(box.size) * array.nodeBytes()));
  std::byte* to = nodes.data();
  for (std::int64_t k = 0; k < box.size[2]; ++k)
    for (std::int64_t j = 0; j < box.size[1]; ++j)
      for (std::int64_t i = 0; i < box.size[0]; ++i)
        for (int c = 0; c < array.components; ++c, to += sizeOf(array.type))
          putValue(to, array.type,
                   sampleValue(number, step, {box.first[0] + i, box.first[1] + j, box.first[2] + k}, c));
  return nodes;
}

inline Bytes samplePage(const DatasetDescription& description, const PageId& id) {
  const ArrayDescription& array = description.arrays[id.array];
  return sampleNodes(description, id.array, array.stepOf(id.page), array.boxOf(id.page));
}

/// A page with the nodes it owns and the first layer of its neighbours.
inline PageSummary sampleSummary(const DatasetDescription& description, const PageId& id) {
  const ArrayDescription& array = description.arrays[id.array];
  IndexBox box = array.boxOf(id.page);
  for (std::size_t a = 0; a < 3; ++a)
    box.size[a] = std::min(box.size[a] + 1, array.layout.dims()[a] - box.first[a]);
  PageSummary summary(array.components);
  summary.add(sampleNodes(description, id.array, array.stepOf(id.page), box), array.type);
  return summary;
}

/// Two curvilinear blocks, static grid and iblank, moving solution; edge pages everywhere.
inline DatasetDescription twoBlocks(std::int64_t steps = 3, int edge = 8) {
  DatasetDescription description;
  description.format = "sample";
  for (std::int64_t s = 0; s < steps; ++s) description.times.push_back(0.5 * static_cast<double>(s));
  const Index3 dims[2] = {{21, 10, 9}, {5, 7, 3}};
  for (int b = 0; b < 2; ++b) {
    BlockDescription block;
    block.dims = dims[b];
    block.hasIblank = b == 0;
    description.blocks.push_back(block);
    const PageLayout layout = PageLayout::even(block.dims, edge);
    description.arrays.push_back(
        {"xyz", b, layout, 1, 3, ScalarType::F64, {"x", "y", "z"}, ArrayRole::Coordinates});
    if (b == 0)
      description.arrays.push_back({"iblank", b, layout, 1, 1, ScalarType::I16, {}, ArrayRole::Blanking});
    description.arrays.push_back({"q",
                                  b,
                                  layout,
                                  steps,
                                  5,
                                  ScalarType::F32,
                                  {"density", "momentum-x", "momentum-y", "momentum-z", "energy"}});
  }
  description.pageEdge = edge;
  description.attributes = {{"gamma", "1.4"}, {"command", "farfield convert a -o b"}, {"source.0", "a.xyz"}};
  return description;
}

/// One regular block with one array of `type`.
inline DatasetDescription oneBlock(const Index3& dims, const Index3& page, ScalarType type,
                                   int components = 1, std::int64_t steps = 1) {
  DatasetDescription description;
  description.format = "sample";
  for (std::int64_t s = 0; s < steps; ++s) description.times.push_back(static_cast<double>(s));
  BlockDescription block;
  block.dims = dims;
  block.kind = GridKind::Regular;
  block.origin = {1, 2, 3};
  block.spacing = {0.5, 0.25, 2};
  description.blocks.push_back(block);
  description.arrays.push_back({"density", 0, PageLayout::ofExtent(dims, page), steps, components, type, {}});
  return description;
}

/// Writes the rest of the pages, one after the other.
inline void writeRest(StoreWriter& writer, std::uint64_t until = ~std::uint64_t{0}) {
  for (std::uint64_t n = writer.written(); n < std::min(until, writer.pageCount()); ++n) {
    const PageId id = writer.page(n);
    writer.append(writer.encode(id, samplePage(writer.description(), id)),
                  sampleSummary(writer.description(), id));
  }
}

inline void makeStore(const std::filesystem::path& path, const DatasetDescription& description, Codec codec) {
  MemoryAccount account(kPlenty);
  StoreWriter writer(path, description, {.codec = codec, .sync = false}, account);
  writeRest(writer);
  writer.finish();
}

inline Bytes contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline void setContents(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// The real nodes of a page, read from the file as any page source would.
inline Bytes readPage(const StoreFile& store, const PageId& id) {
  const ArrayDescription& array = store.description().arrays[id.array];
  const PagePlace place = store.place(id.array, id.page);
  Bytes stored(place.bytes), padded(static_cast<std::size_t>(array.maxPageBytes()));
  store.object()->readAt(place.offset, stored);
  if (checksum(stored) != place.checksum) throw Corrupt("page checksum");
  Scratch scratch;
  decode(store.codecOf(place), sizeOf(array.type), stored, padded, scratch);
  const IndexBox box = array.boxOf(id.page);
  const Index3& extent = array.layout.extent();
  Bytes nodes;
  const auto row = static_cast<std::ptrdiff_t>(box.size[0] * array.nodeBytes());
  for (std::int64_t k = 0; k < box.size[2]; ++k)
    for (std::int64_t j = 0; j < box.size[1]; ++j) {
      const auto from =
          padded.begin() + static_cast<std::ptrdiff_t>((k * extent[1] + j) * extent[0] * array.nodeBytes());
      nodes.insert(nodes.end(), from, from + row);
    }
  return nodes;
}

}  // namespace farfield::test
