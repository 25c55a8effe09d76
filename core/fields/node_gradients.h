#pragma once
// Gradients in space at the nodes of a structured block, from differences along i, j, k and the inverse of
// the map from index space. Central differences inside, one-sided at the ends of the block and beside blanked
// nodes, whose values mean nothing. An axis of one node (2-D data) is taken as normal to the other two.
// Second order inside, first order where one-sided.

#include <span>

#include "core/base/geometry.h"

namespace farfield::fields {

/// Gathered nodes of a block, i fastest.
struct GatheredNodes {
  IndexBox box;  ///< in the block; one node larger on each side than what is wanted, if there is one
  std::span<const double> xyz;     ///< 3 for each node
  std::span<const double> iblank;  ///< 1 for each node, or empty
};

/// Gradients of `count` values, those of node n beginning at values[n * count], at node `at` of the block.
/// NaN if a direction has no difference, or the neighbours span no volume.
void gradientsAt(const GatheredNodes& nodes, const Index3& dims, std::span<const double> values,
                 std::size_t count, const Index3& at, std::span<Vec3> gradients);

}  // namespace farfield::fields
