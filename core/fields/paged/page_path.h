#pragma once
// The pages that a line will cross next, from its position, direction and curvature: an arc of constant
// curvature through index space, followed from page to page. A guess; wrong where the flow bends otherwise.

#include <array>

#include "core/base/geometry.h"

namespace farfield::fields {

/// A line in index space: node (i, j, k) is the point (i, j, k), so lengths are in cells.
struct IndexArc {
  Vec3 position;
  Vec3 tangent;    ///< of length 1
  Vec3 curvature;  ///< change of the tangent per cell
};

/// The arc through `previous` and `position` that leaves `position` along `direction` (any length but 0).
IndexArc arcThrough(Vec3 previous, Vec3 position, Vec3 direction);

constexpr int kMostPagesAhead = 8;
struct PagePath {
  std::array<Index3, kMostPagesAhead> cells;  ///< one cell in each page, in the order of crossing
  int count = 0;
};

/// The next `pages` (at most kMostPagesAhead) pages of extent `extent` that `arc` enters, as long as it stays
/// within `cellsOfBlock`, and for at most four page lengths each.
PagePath followPages(IndexArc arc, const Index3& extent, const Index3& cellsOfBlock, int pages);

}  // namespace farfield::fields
