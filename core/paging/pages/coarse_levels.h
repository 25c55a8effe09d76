#pragma once
// Levels of detail: the same data with fewer nodes, for a first look and for views in motion. Level 0 are the
// data; each axis of level n has 1/2^n of their cells, rounded up, and at least one.
//
// Both ends of an axis are kept, and with them walls, the bounds, and what blocks share. The nodes of a
// curvilinear level are nodes of the data: node i of an axis is the data's node i * 2^n, or the last. A
// regular level has a regular spacing too: where the cells cannot be divided its nodes lie between those of
// the data, and what is there is interpolated.
//
// In a store the arrays of level n of a block are called "leveln.q" and so on, beside "q". Whoever reads the
// store opens one level, a data set of its own, and does not see the arrays of the others.

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
/// What `name` says; nothing where it is not that of a coarser level.
std::optional<CoarseName> coarseNameFrom(const std::string& name);

Index3 coarseDims(const Index3& dims, int level);
BlockDescription coarseBlock(const BlockDescription& block, int level);

/// The nodes of a level nearest to a sheet of nodes of the data, of a block of `dims` nodes there: all of the
/// sheet and, where its edge lies between two, the next.
IndexBox coarseNodes(const IndexBox& nodes, const Index3& dims, int level);

/// Where a node of a level lies among those of the data, along an axis.
struct FineNode {
  std::int64_t below = 0;  ///< at it, or the one before it
  double beyond = 0;       ///< how far behind `below`, 0 to 1 (excluded) of the way to the next
};
FineNode fineNode(std::int64_t node, std::int64_t dims, int level, GridKind kind);

/// How many levels are made of `data` when `wanted` are, level 0 included: none that is no smaller than the
/// one before it. `wanted` 0: until a level has no more than 64^3 nodes in all blocks together.
int levelsOf(const DatasetDescription& data, int wanted);
/// How many levels the arrays of a store say it has.
int levelsIn(const DatasetDescription& store);

/// Whoever opens one level is told how many there are by an attribute "levels"; where there is one, by none.
void sayLevels(DatasetDescription& data, int levels);
/// 1 where the attribute is missing or makes no sense.
int levelsSaid(const DatasetDescription& data);

}  // namespace farfield::paging
