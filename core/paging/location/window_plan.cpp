#include "core/paging/location/window_plan.h"

#include <algorithm>

namespace farfield::paging {

Index3 windowExtent(const Index3& dims, const Index3& unit, std::int64_t maxNodes) {
  Index3 extent, nodes;
  for (int a = 0; a < 3; ++a) {
    extent[a] = std::min(unit[a], dims[a]);
    nodes[a] = std::min(extent[a] + 1, dims[a]);
  }
  for (int a = 0; a < 3; ++a) {
    const std::int64_t others = product(nodes) / nodes[a];
    const std::int64_t room = maxNodes / others;
    if (room >= dims[a]) {
      extent[a] = nodes[a] = dims[a];
      continue;
    }
    const std::int64_t units = std::max<std::int64_t>(1, (room - 1) / unit[a]);
    extent[a] = std::min(units * unit[a], dims[a]);
    nodes[a] = std::min(extent[a] + 1, dims[a]);
    break;
  }
  return extent;
}

IndexBox withApron(const IndexBox& box, const Index3& dims) {
  IndexBox wider = box;
  for (int a = 0; a < 3; ++a) wider.size[a] = std::min(box.size[a] + 1, dims[a] - box.first[a]);
  return wider;
}

}  // namespace farfield::paging
