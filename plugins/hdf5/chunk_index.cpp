#include "plugins/hdf5/chunk_index.h"

#include "plugins/hdf5/chunk_layout.h"
#include "plugins/hdf5/chunk_rows.h"
#include "plugins/hdf5/chunk_tree.h"
#include "plugins/hdf5/structure_fields.h"

namespace farfield::hdf5 {
namespace {

constexpr std::size_t kMostRank = 32;

bool isReadHere(const IndexedDataset& its) {
  const auto isSize = [](int bytes) { return bytes == 2 || bytes == 4 || bytes == 8; };
  if (!isSize(its.addressBytes) || !isSize(its.lengthBytes)) return false;
  if (its.dims.empty() || its.dims.size() > kMostRank || its.chunks.size() != its.dims.size()) return false;
  for (std::size_t d = 0; d < its.dims.size(); ++d)
    if (its.dims[d] < 1 || its.chunks[d] < 1) return false;
  return its.elementBytes > 0 && its.treeEntries <= ChunkTree::kMostTreeEntries;
}

}  // namespace

std::unique_ptr<const ChunkIndex> chunkIndexOf(const IndexedDataset& dataset) {
  if (!isReadHere(dataset)) return nullptr;
  const std::optional<ChunkLayout> layout = chunkLayoutOf(dataset);
  if (!layout) return nullptr;
  if (layout->kind == IndexKind::Tree) return std::make_unique<ChunkTree>(dataset, layout->address);
  // the order of chunks is that of the largest extents
  if (!dataset.hasFixedDims) return nullptr;
  if (layout->kind == IndexKind::FixedArray && layout->address != kNowhere)
    return ChunkFixedArray::open(dataset, layout->address);
  if (layout->kind == IndexKind::Single && dataset.chunks != dataset.dims) return nullptr;
  return std::make_unique<ChunkRow>(dataset, *layout);
}

}  // namespace farfield::hdf5
