#pragma once
// Where lines start. A seed set is computed as it is read, so that a million seeds of a box take no memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::flow {

/// Coordinates of a node of a block. May wait (pages are read) and throw what reading throws.
using NodeCoordinates = std::function<Vec3(int block, const Index3& node)>;

/// Immutable; thread-safe.
class SeedSet {
 public:
  virtual ~SeedSet() = default;
  virtual std::size_t count() const = 0;
  /// Seed number n < count(). Sets of nodes and of places in cells look nodes up by `nodeAt` (in the caller's
  /// thread), and throw what it throws; others do not use it.
  virtual Vec3 at(std::size_t n, const NodeCoordinates& nodeAt) const = 0;
};

/// The given points in their order.
std::unique_ptr<SeedSet> pointSeeds(std::vector<Vec3> points);

/// `count` points evenly from `from` to `to`, both included; a single one lies at `from`.
std::unique_ptr<SeedSet> lineSeeds(Vec3 from, Vec3 to, std::int64_t count);

/// The parallelogram that `axis1` and `axis2` span at `origin`: counts[0] × counts[1] points, edges included,
/// axis1 fastest. With a count of one the points are on the origin's side.
std::unique_ptr<SeedSet> planeSeeds(Vec3 origin, Vec3 axis1, Vec3 axis2, std::array<std::int64_t, 2> counts);

/// The box from `min` to `max`, faces included, x fastest. With a count of one the points are on the side of
/// `min`.
std::unique_ptr<SeedSet> boxSeeds(Vec3 min, Vec3 max, const Index3& counts);

/// Every stride-th node of `nodes` of block `block`, from nodes.first on, i fastest.
std::unique_ptr<SeedSet> gridPointSeeds(int block, const IndexBox& nodes, const Index3& stride);

// All throw Invalid for counts or strides below one, too many points, and numbers that are not finite.

}  // namespace farfield::flow
