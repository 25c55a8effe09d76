#include "bench/policies/slice_requests.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "core/paging/cache/frame_memory.h"
#include "core/paging/pages/page_layout.h"

namespace farfield::bench {
namespace {

/// The least and the greatest of normal · node over a box of nodes.
std::array<double, 2> rangeAlong(const Vec3& normal, const Index3& first, const Index3& last) {
  std::array<double, 2> range{0, 0};
  for (int a = 0; a < 3; ++a) {
    const double low = normal[a] * static_cast<double>(first[a]),
                 high = normal[a] * static_cast<double>(last[a]);
    range[0] += std::min(low, high);
    range[1] += std::max(low, high);
  }
  return range;
}

}  // namespace

std::vector<SlicePlane> scrub(const SliceBlock& block, const Vec3& normal, int count, int sweeps) {
  const auto range = rangeAlong(normal, {0, 0, 0}, {block.dims[0] - 1, block.dims[1] - 1, block.dims[2] - 1});
  std::vector<SlicePlane> planes;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int n = 0; n < count; ++n) {
      const double part = (n + 0.5) / count;
      planes.push_back({normal, range[0] + (range[1] - range[0]) * (sweep % 2 ? 1 - part : part)});
    }
  return planes;
}

ReplayTrace sliceTrace(const std::string& name, const SliceBlock& block,
                       const std::vector<SlicePlane>& planes) {
  ReplayTrace trace;
  trace.name = name;
  const auto layout = paging::PageLayout::even(block.dims, block.pageEdge);
  const std::int64_t pages = layout.pageCount();
  std::unordered_map<std::int64_t, PageId> numbers;
  for (const SlicePlane& plane : planes)
    for (std::int64_t page = 0; page < pages; ++page) {
      const IndexBox box = layout.box(page);
      Index3 last;
      // a page serves the cells up to the next page's first nodes
      for (int a = 0; a < 3; ++a) last[a] = std::min(box.first[a] + box.size[a], block.dims[a] - 1);
      const auto range = rangeAlong(plane.normal, box.first, last);
      if (plane.offset < range[0] || plane.offset > range[1]) continue;
      for (std::size_t array = 0; array < block.nodeBytes.size(); ++array) {
        const auto [at, isNew] = numbers.try_emplace(static_cast<std::int64_t>(array) * pages + page,
                                                     static_cast<PageId>(trace.pageBytes.size()));
        if (isNew)
          trace.pageBytes.push_back(paging::FrameMemory::slotBytes(
              static_cast<std::uint64_t>(layout.maxNodes() * block.nodeBytes[array])));
        trace.requests.push_back(at->second);
      }
    }
  return trace;
}

}  // namespace farfield::bench
