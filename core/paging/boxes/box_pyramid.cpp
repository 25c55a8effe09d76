#include "core/paging/boxes/box_pyramid.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/boxes/window_plan.h"

namespace farfield::paging {
namespace {

constexpr std::int64_t kWindowBytes = std::int64_t{8} << 20;

}  // namespace

void finishPyramid(const Index3& cells, BoxPyramid& pyramid) {
  while (product(pyramid.dims.back()) > 1) {
    pyramid.levels.push_back(nextLevel(pyramid.levels.back(), pyramid.dims.back()));
    pyramid.dims.push_back(levelDims(cells, static_cast<int>(pyramid.dims.size())));
  }
}

BoxPyramid buildBoxPyramid(const BoxReader& reader, int block, std::int64_t step, MemoryAccount& account,
                           tasks::LoopThreads& threads, std::stop_token stop) {
  const DatasetDescription& data = reader.description();
  const int number = data.find(block, "xyz");
  if (number < 0) throw Invalid("block " + std::to_string(block) + " has no coordinates");
  const ArrayDescription& xyz = data.arrays[static_cast<std::size_t>(number)];
  const int iblankNumber = data.find(block, "iblank");
  const Index3 dims = xyz.layout.dims();
  const Index3 cells = cellDims(dims);
  BoxPyramid pyramid;
  if (levelCount(cells) == 0) return pyramid;

  const std::string name = "the location tree of block " + std::to_string(block);
  pyramid.claim = account.claim(Purpose::Index,
                                static_cast<std::uint64_t>(pyramidEntries(cells)) * sizeof(CellBox), name);
  const Index3 entries = levelDims(cells, 0);
  CellBoxBuilder builder(dims, {{0, 0, 0}, entries});

  const std::int64_t nodeBytes = xyz.nodeBytes() + (iblankNumber < 0 ? 0 : 2);
  constexpr Index3 kGroup{kCellsPerBoxAxis, kCellsPerBoxAxis, kCellsPerBoxAxis};
  const std::int64_t room =
      std::min<std::int64_t>(kWindowBytes, static_cast<std::int64_t>(account.freeBytes() / 2));
  const PageLayout windows = PageLayout::ofExtent(dims, windowExtent(dims, kGroup, room / nodeBytes));
  std::int64_t most = 1;
  for (int a = 0; a < 3; ++a) most *= std::min(windows.extent()[a] + 1, dims[a]);
  const MemoryClaim work = account.claim(Purpose::Work, static_cast<std::uint64_t>(most * nodeBytes), name);

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
