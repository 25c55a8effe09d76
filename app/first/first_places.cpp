#include "app/first/first_places.h"

#include <algorithm>
#include <cmath>

#include "core/paging/arranging/flat_mesh.h"
#include "render/color/ticks.h"

namespace farfield::app {
namespace {

constexpr double kAboutSeeds = 60;
constexpr std::int64_t kRakeSeeds = 24;
/// Of the length of a rake.
constexpr double kRounding = 1e-3;

/// A place in the bounds with 0 for what is left of it by rounding, which is read and typed as a number of its own.
Vec3 withoutRounding(Vec3 place, const Bounds& bounds) {
  const Vec3 size = bounds.max - bounds.min;
  for (int a = 0; a < 3; ++a) place[a] = color::withoutRounding(place[a], std::max({size.x, size.y, size.z}));
  return place;
}

/// Where along the axes of the bounds.
Vec3 at(const Bounds& bounds, double x, double y, double z) {
  const Vec3 size = bounds.max - bounds.min;
  return withoutRounding(bounds.min + Vec3{x * size.x, y * size.y, z * size.z}, bounds);
}

bool isFlat(const Bounds& bounds) {
  const Vec3 size = bounds.max - bounds.min;
  return size.z < 1e-6 * std::max(size.x, size.y);
}

std::size_t largestBlock(const DataSummary& data) {
  const auto& blocks = data.description.blocks;
  return static_cast<std::size_t>(
      std::max_element(blocks.begin(), blocks.end(),
                       [](const auto& a, const auto& b) { return product(a.dims) < product(b.dims); }) -
      blocks.begin());
}

/// Whether that is so of a block, by its number.
template <class Holds>
bool anyBlock(const DataSummary& data, const Holds& holds) {
  for (std::size_t n = 0; n < data.description.blocks.size(); ++n)
    if (holds(data.description.blocks[n], static_cast<int>(n))) return true;
  return false;
}

/// Nodes from all over a block, without those on its faces, where walls are and nothing flows.
session::GridPointSeeds seedsInside(const DataSummary& data) {
  session::GridPointSeeds seeds;
  if (data.description.blocks.empty()) return seeds;
  const std::size_t block = largestBlock(data);
  const Index3& dims = data.description.blocks[block].dims;
  seeds.block = static_cast<std::int64_t>(block);
  double inside = 1;
  int axes = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (dims[a] < 3) continue;
    seeds.range[a] = {1, -2};
    inside *= static_cast<double>(dims[a] - 2);
    ++axes;
  }
  const double stride = axes > 0 ? std::pow(inside / kAboutSeeds, 1.0 / axes) : 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (dims[a] < 3) continue;
    // At least three along each axis where there are as many; in the middle of what is left over.
    const std::int64_t nodes = dims[a] - 2;
    const auto step = std::clamp<std::int64_t>(std::llround(stride), 1, std::max<std::int64_t>(1, nodes / 3));
    const std::int64_t count = (nodes - 1) / step + 1;
    seeds.stride[a] = step;
    seeds.range[a].first = 1 + (nodes - 1 - (count - 1) * step) / 2;
  }
  return seeds;
}

/// `along` the flow and `beside` it, as parts of the bounds.
session::LineSeeds rakeAt(const Bounds& bounds, double along, double beside) {
  const Vec3 size = bounds.max - bounds.min;
  // Across the longer of the two axes that most flows do not go along.
  if (size.z > 1.5 * size.y)
    return {at(bounds, along, beside, 0.05), at(bounds, along, beside, 0.95), kRakeSeeds};
  return {at(bounds, along, 0.05, beside), at(bounds, along, 0.95, beside), kRakeSeeds};
}

/// Seeds of a rake that lie in the data, side by side.
struct Run {
  std::int64_t first = 0, count = 0;
};

Vec3 seedOf(const session::LineSeeds& rake, std::int64_t number) {
  return rake.from +
         static_cast<double>(number) / static_cast<double>(rake.count - 1) * (rake.to - rake.from);
}

Run longestRun(const session::LineSeeds& rake, const std::function<bool(Vec3)>& isInside) {
  Run longest, now;
  for (std::int64_t n = 0; n < rake.count; ++n) {
    if (!isInside(seedOf(rake, n))) {
      now = {n + 1, 0};
      continue;
    }
    ++now.count;
    if (now.count > longest.count) longest = now;
  }
  return longest;
}

/// All seeds where those of the run are, with ends that are short numbers a little inside of it: they are read, and dragged.
session::LineSeeds on(const Run& run, const session::LineSeeds& rake) {
  if (run.count == rake.count) return rake;
  session::LineSeeds part{seedOf(rake, run.first), seedOf(rake, run.first + run.count - 1), rake.count};
  const double within = kRounding * length(part.to - part.from);
  for (int axis = 0; axis < 3; ++axis) {
    const double way = part.to[axis] - part.from[axis];
    if (std::abs(way) <= 4 * within) continue;
    part.from[axis] = color::plainNumber(part.from[axis] + std::copysign(within, way), within);
    part.to[axis] = color::plainNumber(part.to[axis] - std::copysign(within, way), within);
  }
  return part;
}

}  // namespace

bool hasInside(const DataSummary& data) {
  // A renderer may know more of its data than it says. What is cut of a layer is as thin as that, and is not seen.
  return data.description.blocks.empty() ||
         anyBlock(data, [&](const paging::BlockDescription& block, int number) {
           return block.isUnstructured() ? !paging::isSurfaceInSpace(data.description, number) &&
                                               !paging::isLayer(data.description, number)
                                         : *std::min_element(block.dims.begin(), block.dims.end()) > 1;
         });
}

bool holdsPlaces(const DataSummary& data) {
  return data.description.blocks.empty() ||
         anyBlock(data, [&](const paging::BlockDescription& block, int number) {
           return block.isUnstructured() ? !paging::isSurfaceInSpace(data.description, number)
                                         : block.dims[0] > 1 && block.dims[1] > 1;
         });
}

bool isSurfaceInSpace(const DataSummary& data) {
  return !data.description.blocks.empty() &&
         !anyBlock(data, [&](const paging::BlockDescription&, int number) {
           return !paging::isSurfaceInSpace(data.description, number);
         });
}

bool liesInPlane(const DataSummary& data) {
  return anyBlock(data, [&](const paging::BlockDescription&, int number) {
    return paging::isLayer(data.description, number);
  });
}

bool mayHaveHoles(const DataSummary& data) {
  return data.description.blocks.size() > 1 || anyBlock(data, [](const paging::BlockDescription& block, int) {
           return block.hasCoordinates() || block.hasIblank;
         });
}

Vec3 placeInside(const DataSummary& data) {
  const std::vector<paging::BlockDescription>& blocks = data.description.blocks;
  if (blocks.size() > 1) {
    const paging::BlockDescription& largest = blocks[largestBlock(data)];
    if (!largest.bounds.empty()) return withoutRounding(largest.bounds.center(), largest.bounds);
  }
  return data.bounds.empty() ? Vec3{} : withoutRounding(data.bounds.center(), data.bounds);
}

session::Seeds newSeeds(std::size_t index, const DataSummary& data) {
  const Bounds& b = data.bounds;
  if (b.empty()) return session::PointSeeds{{{0, 0, 0}}};
  const Vec3 size = b.max - b.min;
  const bool flat = isFlat(b);
  const double middle = flat ? 0 : 0.5;
  switch (index) {
    case 0:
      return session::PointSeeds{{at(b, 0.25, 0.5, middle)}};
    case 1:
      return rakeAt(b, 0.25, size.z > 1.5 * size.y ? 0.5 : middle);
    case 2:
      return session::PlaneSeeds{at(b, 0.25, 0.1, flat ? 0 : 0.1),
                                 {0, 0.8 * size.y, 0},
                                 {0, 0, flat ? 0 : 0.8 * size.z},
                                 {8, flat ? 1 : 8}};
    case 3:
      return session::BoxSeeds{
          at(b, 0.2, 0.2, flat ? 0 : 0.2), at(b, 0.8, 0.8, flat ? 0 : 0.8), {4, 4, flat ? 1 : 4}};
    case 5:
      return session::SpreadSeeds{kSpreadSeeds, session::SpreadSeeds::Over::Space};
    default:
      return seedsInside(data);
  }
}

std::vector<session::LineSeeds> rakePlaces(const DataSummary& data) {
  std::vector<session::LineSeeds> places;
  for (const double beside : {0.5, 0.25, 0.75})
    for (const double along : {0.25, 0.125, 0.5, 0.75, 0.875})
      places.push_back(rakeAt(data.bounds, along, isFlat(data.bounds) ? 0 : beside));
  return places;
}

std::optional<session::LineSeeds> rakeInside(const std::vector<session::LineSeeds>& places,
                                             const std::function<bool(Vec3)>& isInside,
                                             const std::function<std::optional<Vec3>(Vec3)>& seek) {
  const session::LineSeeds* best = nullptr;
  Run most;
  for (const session::LineSeeds& place : places) {
    const Run run = longestRun(place, isInside);
    if (2 * run.count >= place.count) return on(run, place);
    if (run.count <= most.count) continue;
    best = &place;
    most = run;
  }
  if (most.count > 1) return on(most, *best);

  const session::LineSeeds& usual = places.front();
  const double size = length(usual.to - usual.from);
  const std::optional<Vec3> found = size > 0 ? seek(0.5 * (usual.from + usual.to)) : std::nullopt;
  if (!found) return std::nullopt;
  const Vec3 along = (1 / size) * (usual.to - usual.from);
  session::LineSeeds through{*found + dot(usual.from - *found, along) * along,
                             *found + dot(usual.to - *found, along) * along, usual.count};
  // The data may be there for less than from one seed to the next.
  const double step = size / static_cast<double>(usual.count - 1);
  const session::LineSeeds close{*found - step * along, *found + step * along, usual.count};
  for (const session::LineSeeds& place : {through, close})
    if (const Run run = longestRun(place, isInside); run.count > 1) return on(run, place);
  return std::nullopt;
}

}  // namespace farfield::app
