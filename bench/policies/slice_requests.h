#pragma once
// The pages that slices request, computed from page layouts alone: a plane through a block of evenly spaced
// nodes requests the coordinates and the solution of every page that it cuts, in page order. Moving a slice
// requests one plane after the other.

#include <vector>

#include "bench/policies/replacement.h"
#include "core/base/geometry.h"

namespace farfield::bench {

struct SliceBlock {
  Index3 dims{128, 128, 128};  ///< nodes
  int pageEdge = 16;
  std::vector<int> nodeBytes{12, 20};  ///< of each array that a slice gathers
};

/// A plane in index space: normal · node = offset.
struct SlicePlane {
  Vec3 normal{0, 0, 1};
  double offset = 0;
};

/// Planes that a user moves through: along `normal` from one side of the block to the other in `count` steps,
/// then back, `sweeps` times in all.
std::vector<SlicePlane> scrub(const SliceBlock& block, const Vec3& normal, int count, int sweeps);

/// The requests of `planes`, one after the other.
ReplayTrace sliceTrace(const std::string& name, const SliceBlock& block,
                       const std::vector<SlicePlane>& planes);

}  // namespace farfield::bench
