#pragma once
// Levels of detail: the same data with fewer nodes, for a first look and for views in motion. Level 0 is the
// data; each axis of level n has 1/2^n of their cells, rounded up, and at least one.
//
// The first and last node of each axis are kept, and so walls, bounds and faces shared by blocks. The nodes
// of a curvilinear level are nodes of the data: node i of an axis is the data's node i * 2^n, or the last. A
// regular level has a regular spacing as well: if the cells cannot be divided, its nodes lie between those of
// the data, and values are interpolated.
//
// In a store the arrays of level n of a block are named "leveln.q" and so on, beside "q". A store is opened
// at one level, which is a data set of its own without the arrays of the others.

#include <optional>
#include <string>

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// Level 0 included.
constexpr int kMostLevels = 16;

/// "level2.q".
std::string coarseName(int level, const std::string& name);

struct CoarseName {
  int level = 0;
  std::string name;  ///< of the array at level 0
};
/// Parses `name`; nothing if it is not the name of an array of a coarser level.
std::optional<CoarseName> coarseNameFrom(const std::string& name);

Index3 coarseDims(const Index3& dims, int level);
BlockDescription coarseBlock(const BlockDescription& block, int level);

/// The nodes of a level nearest to a sheet of nodes of the data, in a block whose data have `dims` nodes: all
/// of the sheet and, where its edge lies between two nodes, the next.
IndexBox coarseNodes(const IndexBox& nodes, const Index3& dims, int level);

/// Where a node of a level lies among those of the data, along an axis.
struct FineNode {
  std::int64_t below = 0;  ///< number of the node there, or of the one before
  double beyond = 0;       ///< fraction of the way from `below` to the next node, 0 <= beyond < 1
};
FineNode fineNode(std::int64_t node, std::int64_t dims, int level, GridKind kind);

/// Number of levels made of `data` if `wanted` are asked for, level 0 included: a level that is not smaller
/// than the one before is not made. `wanted` 0: until a level has at most 64^3 nodes in all blocks together.
int levelsOf(const DatasetDescription& data, int wanted);
/// Number of levels in a store, by its arrays.
int levelsIn(const DatasetDescription& store);

/// Sets the attribute "levels", by which one opened level tells how many there are; none if there is only
/// one.
void sayLevels(DatasetDescription& data, int levels);
/// Reads it: 1 if the attribute is missing or invalid.
int levelsSaid(const DatasetDescription& data);

}  // namespace farfield::paging
