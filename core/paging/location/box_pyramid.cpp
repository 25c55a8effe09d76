#include "core/paging/location/box_pyramid.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/location/window_plan.h"

namespace farfield::paging {
namespace {

constexpr std::int64_t kWindowBytes = std::int64_t{8} << 20;
constexpr Index3 kGroup{kCellsPerBoxAxis, kCellsPerBoxAxis, kCellsPerBoxAxis};

std::uint64_t levelBytes(const Index3& cells) {
  return static_cast<std::uint64_t>(pyramidEntries(cells)) * sizeof(CellBox);
}

/// Bytes read per node: coordinates and, if the block has it, iblank.
std::int64_t nodeBytesOf(const DatasetDescription& data, int block) {
  const ArrayDescription& xyz =
      data.arrays[static_cast<std::size_t>(data.find(block, ArrayRole::Coordinates))];
  return xyz.nodeBytes() + (data.find(block, ArrayRole::Blanking) < 0 ? 0 : 2);
}

PageLayout windowsOf(const Index3& dims, std::int64_t nodes) {
  return PageLayout::ofExtent(dims, windowExtent(dims, kGroup, nodes));
}

/// Nodes of the largest window with its apron.
std::int64_t windowNodes(const PageLayout& windows) {
  return product(withApron({{0, 0, 0}, windows.extent()}, windows.dims()).size);
}

}  // namespace

std::uint64_t leastPyramidBytes(const DatasetDescription& data, int block) {
  const int number = data.find(block, ArrayRole::Coordinates);
  if (number < 0) return 0;
  const Index3 dims = data.arrays[static_cast<std::size_t>(number)].layout.dims();
  if (levelCount(cellDims(dims)) == 0) return 0;
  return levelBytes(cellDims(dims)) +
         static_cast<std::uint64_t>(windowNodes(windowsOf(dims, 0)) * nodeBytesOf(data, block));
}

void finishPyramid(const Index3& cells, BoxPyramid& pyramid) {
  while (product(pyramid.dims.back()) > 1) {
    pyramid.levels.push_back(nextLevel(pyramid.levels.back(), pyramid.dims.back()));
    pyramid.dims.push_back(levelDims(cells, static_cast<int>(pyramid.dims.size())));
  }
}

BoxPyramid buildBoxPyramid(const BoxReader& reader, int block, std::int64_t step, MemoryAccount& account,
                           tasks::LoopThreads& threads, std::stop_token stop) {
  const DatasetDescription& data = reader.description();
  const int number = data.find(block, ArrayRole::Coordinates);
  if (number < 0) throw Invalid("block " + std::to_string(block) + " has no coordinates");
  const ArrayDescription& xyz = data.arrays[static_cast<std::size_t>(number)];
  const int iblankNumber = data.find(block, ArrayRole::Blanking);
  const Index3 dims = xyz.layout.dims();
  const Index3 cells = cellDims(dims);
  BoxPyramid pyramid;
  if (levelCount(cells) == 0) return pyramid;

  const std::string name = "the location pyramid of block " + std::to_string(block);
  pyramid.claim = account.claim(Purpose::Index, levelBytes(cells), name);
  const Index3 entries = levelDims(cells, 0);
  CellBoxBuilder builder(dims, {{0, 0, 0}, entries});

  const std::int64_t nodeBytes = nodeBytesOf(data, block);
  const std::int64_t room =
      std::min<std::int64_t>(kWindowBytes, static_cast<std::int64_t>(account.freeBytes() / 2));
  const PageLayout windows = windowsOf(dims, room / nodeBytes);
  const MemoryClaim work =
      account.claim(Purpose::Work, static_cast<std::uint64_t>(windowNodes(windows) * nodeBytes), name);

  std::vector<std::byte> nodes;
  std::vector<std::int16_t> iblank;
  for (std::int64_t w = 0; w < windows.pageCount(); ++w) {
    if (stop.stop_requested()) throw Cancelled();
    const IndexBox box = withApron(windows.box(w), dims);
    const auto count = static_cast<std::size_t>(product(box.size));
    nodes.resize(count * static_cast<std::size_t>(xyz.nodeBytes()));
    reader.read(static_cast<std::uint32_t>(number), step, box, nodes);
    if (iblankNumber >= 0) {
      iblank.resize(count);
      const bool moves = data.arrays[static_cast<std::size_t>(iblankNumber)].steps > 1;
      reader.read(static_cast<std::uint32_t>(iblankNumber), moves ? step : 0, box,
                  std::as_writable_bytes(std::span(iblank)));
    }
    builder.add(box, nodes, xyz.type, iblank, threads);
  }
  pyramid.levels.push_back(builder.take());
  pyramid.dims.push_back(entries);
  finishPyramid(cells, pyramid);
  return pyramid;
}

}  // namespace farfield::paging
