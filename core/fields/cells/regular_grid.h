#pragma once
// The regular grid over data of any grid: how many nodes are worth having, and where they lie.

#include <string>

#include "core/base/geometry.h"
#include "core/paging/pages/description.h"

namespace farfield::fields {

/// Node (i,j,k) lies at origin + spacing·(i,j,k).
struct RegularGrid {
  Index3 nodes{1, 1, 1};
  Vec3 origin, spacing;
};

constexpr int kMostNodesAlong = 1 << 20;

/// `alongLongest` nodes along the longest axis of `bounds`, along the others as many as make cells nearly cubes; 0: about eight cells
/// for each node of the data, 64 to 512 along the longest axis. Where cubes would leave an axis a few nodes for all that the data have,
/// as of an ocean in degrees and metres, it gets as many as of a cube that holds those cells. Throws Unsupported for bounds without a
/// volume.
RegularGrid regularGridOver(const paging::DatasetDescription& data, const Bounds& bounds,
                            int alongLongest = 0);

/// "auto" (0) or a number of nodes from 2 on, for regularGridOver(). Throws Invalid, naming `what`.
int nodesAlongLongest(const std::string& text, const std::string& what);

}  // namespace farfield::fields
