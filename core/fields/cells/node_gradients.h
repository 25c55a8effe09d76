#pragma once
// Gradients in space at the nodes of a structured block, from differences along i, j, k and the inverse of
// the map from index space. Central differences inside, one-sided at the ends of the block and beside blanked
// nodes, whose values mean nothing. An axis of one node (2-D data) is taken as normal to the other two.
// Second order inside, first order where one-sided. Ends that repeat the value beside them (repeated_ends.h) are not looked at:
// they have the gradients of the node beside, whose differences are one-sided; an axis of one node between two is as one of one node.

#include <span>

#include "core/base/geometry.h"
#include "core/fields/cells/repeated_ends.h"

namespace farfield::fields {

/// Gathered nodes of a block, i fastest.
struct GatheredNodes {
  /// In the block; one node larger on each side than what is wanted, and than the owners of that (RepeatedEnds), if there is one.
  IndexBox box;
  std::span<const double> xyz;     ///< 3 for each node
  std::span<const double> iblank;  ///< 1 for each node, or empty
  RepeatedEnds ends = {};          ///< of the block
};

/// Gradients of `count` values, those of node n beginning at values[n * count], at node `at` of the block.
/// NaN if a direction has no difference, or the neighbours span no volume.
void gradientsAt(const GatheredNodes& nodes, const Index3& dims, std::span<const double> values,
                 std::size_t count, const Index3& at, std::span<Vec3> gradients);

}  // namespace farfield::fields
