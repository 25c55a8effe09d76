#pragma once
// The O-grid of the sample "cylinder", made as the grids of real PLOT3D data are: i runs around the cylinder,
// j from its wall (radius 1) outwards to radius 10 with layers that grow, k along its axis from 0 to 4.
//
// Each block overlaps the next by two cells: its nodes ni-3, ni-2, ni-1 are exactly the next one's 0, 1, 2
// (the block after the last is the first). iblank:
//   2   wall nodes (j = 0) that no neighbour updates
//   -n  fringe, whose value belongs to block n (numbered from 1): the first layer (i = 0, the previous block)
//       and the last (the next block); in the outer half, where the last layer is a hole, the one before it
//   0   holes: the last layer in the outer half (j >= nj/2), which the next block covers
//   1   all others
// So in the outer half the last column of cells is blank, and every point between the wall and the outer ring
// still lies in a valid cell.

#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::samples {

struct CylinderGrid {
  static constexpr double kOuterRadius = 10, kSpan = 4;
  static constexpr std::int64_t kOverlapCells = 2;

  Index3 size;  ///< nodes of a block: at least 6 around
  int blocks;

  /// Cells around the cylinder, counted once.
  std::int64_t cellsAround() const { return blocks * (size[0] - 1 - kOverlapCells); }
  double radius(std::int64_t j) const;
  Vec3 nodeAt(int block, const Index3& node) const;
  std::int16_t iblankAt(int block, const Index3& node) const;
};

}  // namespace farfield::samples
