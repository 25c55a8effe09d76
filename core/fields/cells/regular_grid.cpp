#include "core/fields/cells/regular_grid.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/error.h"

namespace farfield::fields {
namespace {

constexpr int kLeastNodes = 64, kMostNodes = 512;
constexpr double kCellsPerNode = 8;
/// Of the nodes along the edge of a cube of them all, and at most so many: an axis with fewer is as good as not seen.
constexpr double kFew = 0.25, kMostFew = 16;

}  // namespace

RegularGrid regularGridOver(const paging::DatasetDescription& data, const Bounds& bounds, int alongLongest) {
  const Vec3 size = bounds.max - bounds.min;
  double longest = 0, volume = 1, nodes = 0;
  for (int a = 0; a < 3; ++a) {
    if (!(size[a] > 0) || !std::isfinite(size[a]))
      throw Unsupported("data that lie in a plane or on a line are no volume", "show a grid surface");
    longest = std::max(longest, size[a]);
  }
  for (int a = 0; a < 3; ++a) volume *= size[a] / longest;
  for (const paging::BlockDescription& block : data.blocks) nodes += static_cast<double>(product(block.dims));
  const auto usual = static_cast<int>(std::clamp(std::ceil(std::cbrt(kCellsPerNode * nodes / volume)),
                                                 double{kLeastNodes}, double{kMostNodes}));
  if (alongLongest <= 0) alongLongest = usual;
  const double inCube = std::cbrt(kCellsPerNode * nodes) * alongLongest / usual;
  RegularGrid grid;
  const double edge = longest / (alongLongest - 1);
  grid.origin = bounds.min;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    double along = std::round(size[a] / edge) + 1;
    if (along < std::min(kFew * inCube, kMostFew)) along = std::min<double>(std::round(inCube), alongLongest);
    grid.nodes[axis] = std::max<std::int64_t>(2, std::llround(along));
    grid.spacing[a] = size[a] / static_cast<double>(grid.nodes[axis] - 1);
  }
  return grid;
}

int nodesAlongLongest(const std::string& text, const std::string& what) {
  if (text == "auto") return 0;
  int nodes = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, nodes);
  if (error != std::errc() || stop != end || nodes < 2 || nodes > kMostNodesAlong)
    throw Invalid(what + " takes auto or the number of nodes along the longest axis, from 2 to " +
                  std::to_string(kMostNodesAlong) + ", not '" + text + "'");
  return nodes;
}

}  // namespace farfield::fields
