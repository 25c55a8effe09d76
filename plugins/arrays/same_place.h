#pragma once
// Series of files of regular grids: whether each says the place that the first says.

#include <array>
#include <string>

#include "core/base/geometry.h"
#include "plugins/arrays/option_words.h"

namespace farfield::arrays {

/// Nodes are at origin + i·directions[0] + j·directions[1] + k·directions[2].
struct NodePlace {
  Vec3 origin;
  std::array<Vec3, 3> directions;
};

/// A data set has one grid for all steps. Throws Unsupported, with what differs, if the nodes of a later file lie elsewhere than those of
/// the first, by more than a thousandth of a cell (numbers written as text are rounded). What `options` (origin, spacing) say for all
/// files may differ in them.
void checkSamePlace(const NodePlace& first, const NodePlace& other, const Index3& nodes,
                    const Options& options);

}  // namespace farfield::arrays
