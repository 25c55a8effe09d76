#include "plugins/chunks/chunk_pages.h"

#include <algorithm>
#include <optional>
#include <set>

#include "plugins/chunks/chunk_array.h"

namespace farfield::chunks {
namespace {

/// Pages of fewer nodes cost more to keep than to read.
constexpr std::int64_t kFewNodes = 2048;
/// Chunks of more bytes are read in slabs of so many, if they can be divided so. Shorter reads take no less time.
constexpr std::int64_t kWholeBytes = 32 << 10, kLeastSlabBytes = 8 << 10, kMostSlabBytes = 16 << 10;

const arrays::PlacedArray* firstOf(const arrays::ArrayPlace& place) {
  if (const auto* const placed = std::get_if<arrays::PlacedArray>(&place)) return placed;
  if (const auto* const gathered = std::get_if<arrays::GatheredArray>(&place)) return &gathered->front();
  return nullptr;
}

/// Nodes of a page along each axis, if the array is in chunks that begin where pages can.
std::optional<Index3> extentOf(const arrays::ArrayPlace& place, const Index3& dims) {
  const arrays::PlacedArray* const placed = firstOf(place);
  if (!placed || placed->isBetween() || placed->steps.empty() || placed->steps.front().size() != 1)
    return std::nullopt;
  const auto map = arrays::ChunkMap::of(placed->steps.front().front(), placed->components, 0);
  if (!map) return std::nullopt;
  Index3 extent;
  for (std::size_t a = 0; a < 3; ++a) extent[a] = map->extent(a + 1);
  while (product(extent) < kFewNodes) {
    // the axis that is shortest, and has more nodes
    std::size_t shortest = 3;
    for (std::size_t a = 0; a < 3; ++a)
      if (extent[a] < dims[a] && (shortest == 3 || extent[a] < extent[shortest])) shortest = a;
    if (shortest == 3) break;
    extent[shortest] = std::min(dims[shortest], 2 * extent[shortest]);
  }
  if (const auto* const only = std::get_if<arrays::PlacedArray>(&place); only && areSlabs(*only)) {
    const std::int64_t chunk = map->extent(3),
                       layer = extent[0] * extent[1] * only->components * sizeOf(only->valueType());
    const auto isGood = [&](std::int64_t layers) {
      return chunk % layers == 0 && layers * layer <= kMostSlabBytes && layers * layer >= kLeastSlabBytes;
    };
    if (extent[2] == chunk && chunk * layer > kWholeBytes)
      for (std::int64_t layers = std::min(chunk, kMostSlabBytes / layer); layers > 0; --layers)
        if (isGood(layers)) {
          extent[2] = layers;
          break;
        }
  }
  return extent;
}

void collect(const arrays::PlacedArray& placed, std::set<const ChunkArray*>& found) {
  for (const std::vector<arrays::Piece>& pieces : placed.steps)
    for (const arrays::Piece& piece : pieces)
      if (const auto* const array = dynamic_cast<const ChunkArray*>(piece.bytes.get())) found.insert(array);
}

}  // namespace

bool areSlabs(const arrays::PlacedArray& placed) {
  if (placed.isBetween() || placed.bigEndian || placed.unpacking ||
      arrays::nativeType(placed.type) != placed.type)
    return false;
  for (const std::vector<arrays::Piece>& pieces : placed.steps) {
    if (pieces.size() != 1) return false;
    const auto* const its = dynamic_cast<const ChunkArray*>(pieces.front().bytes.get());
    if (!its || !dynamic_cast<const PlacedChunks*>(&its->store()) || !its->filters().filters().empty())
      return false;
    const auto map = arrays::ChunkMap::of(pieces.front(), placed.components, 0);
    if (!map || map->runLength(0, 0, placed.components) != placed.components) return false;
    std::int64_t stride = sizeOf(placed.valueType());
    if (placed.components > 1 && map->inner(0) != stride) return false;
    stride *= placed.components;
    for (std::size_t a = 1; a < arrays::ChunkMap::kAxes; ++a) {
      if (!map->isEven(a) || (map->extent(a) > 1 && map->inner(a) != stride)) return false;
      stride *= map->extent(a);
    }
    if (stride != its->chunkBytes()) return false;
  }
  return !placed.steps.empty();
}

bool cutByChunks(paging::DatasetDescription& description, const std::vector<arrays::ArrayPlace>& places) {
  std::set<const ChunkArray*> used;
  std::optional<Index3> first;
  std::vector<std::optional<Index3>> extents;
  for (std::size_t n = 0; n < places.size(); ++n) {
    extents.push_back(extentOf(places[n], description.arrays[n].layout.dims()));
    if (!first) first = extents.back();
    if (const auto* const placed = std::get_if<arrays::PlacedArray>(&places[n])) collect(*placed, used);
    if (const auto* const gathered = std::get_if<arrays::GatheredArray>(&places[n]))
      for (const arrays::PlacedArray& component : *gathered) collect(component, used);
  }
  // the largest first, whose memory serves those a little smaller
  std::vector<const ChunkArray*> arrays(used.begin(), used.end());
  std::sort(arrays.begin(), arrays.end(),
            [](const ChunkArray* a, const ChunkArray* b) { return a->chunkBytes() > b->chunkBytes(); });
  for (const ChunkArray* const array : arrays) array->prepare();
  if (!first) return false;
  for (std::size_t n = 0; n < places.size(); ++n) {
    paging::PageLayout& layout = description.arrays[n].layout;
    layout = paging::PageLayout::ofExtent(layout.dims(), extents[n].value_or(*first));
  }
  return true;
}

}  // namespace farfield::chunks
