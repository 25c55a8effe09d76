#pragma once
// Values at the centres of the cells of structured grids, as values of nodes: along each axis on which the file has more than one node,
// the nodes are the centres of the cells and, before and after them, the ends of the grid. So blocks meet, and reach to walls. At an
// end the place is the middle of the boundary face (of an edge of the block the middle of the edge, in a corner the corner) and the
// value that of the cell beside it.

#include <functional>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::arrays {

/// What is said to people.
constexpr const char* kCellSamplesSaid =
    "values of cells: nodes are the centres of the cells and the ends of blocks, where the values are those of the cells beside them";

/// How many nodes there are where the file has `nodes`. In what follows these are the nodes of the file as well.
Index3 cellNodes(const Index3& nodes);

/// Makes an array of cells one of nodes.
void placeOnCellNodes(PlacedArray& ofCells, const Index3& nodes);
/// The same of one that is computed, of one component of `bytes`.
ComputedArray onCellNodes(ComputedArray ofCells, const Index3& nodes, int bytes);

/// The positions along an axis. A single node stays.
std::vector<double> cellNodesOf(const std::vector<double>& axis);

/// `count` coordinates, from number `first` on, of the nodes of the file in a box, those of a node together.
using PointReader = std::function<void(std::int64_t step, const IndexBox& box, int first, int count,
                                       std::vector<double>& numbers)>;
/// Coordinates (f64) from those of the nodes of the file.
ComputedArray cellNodesOf(PointReader points, const Index3& nodes);

/// As placeNodes(), which is given the nodes of the file; the grid becomes rectilinear, or curvilinear.
void placeCellNodes(Vec3 origin, const std::array<Vec3, 3>& directions, const Index3& nodes,
                    paging::DatasetDescription& description, std::vector<ArrayPlace>& places,
                    MemoryAccount& account, std::vector<MemoryClaim>& claims);

/// The range of nodes for a range of the file's: what ends within a face of the block ends at the centre of the cell before.
IndexBox cellNodesIn(const IndexBox& range, const Index3& nodes);

}  // namespace farfield::arrays
