#pragma once
// Grids of triangles and quadrilaterals alone, shown by code that knows cells with a volume. Cells in a plane of two axes, as
// two-dimensional computations have them, become one layer of thin cells, so that lines, probes and slices work in it. Those of
// a surface in space stay without a volume: hexahedra and wedges whose upper corners are the lower ones. The surface is shown,
// and holds no point.

#include <memory>
#include <string>
#include <vector>

#include "core/paging/arranging/mesh_input.h"
#include "core/paging/pages/description.h"

namespace farfield::paging {

/// Whether it is a cell without a volume, which has no neighbours.
constexpr bool isFlat(const CellNodes& c) {
  return c[0] == c[4] && c[1] == c[5] && c[2] == c[6] && c[3] == c[7];
}

/// Whether a block is a surface in space, of which withThickness() has made such cells alone.
bool isSurfaceInSpace(const DatasetDescription& data, int block);

/// What the border of a layer is, as its kind.
inline constexpr const char* kLayerKind = "layer";
/// Whether a block is a layer that withThickness() has made.
bool isLayer(const DatasetDescription& data, int block);
/// The nodes of a block as its file has them: those of a layer once, and where values are of cells without the ends of blocks (cell_samples.h).
std::int64_t nodesInFile(const DatasetDescription& data, int block);

/// The same grid with cells of forEachFlatCell(); `input` if it has volumes. Reads all points, to see if they lie in a plane. In
/// a plane the nodes are there twice, half a layer below and above it, of which the border has those above, and vectors of two components have the third as zeros.
/// `explain` gets a line for people. Throws what the input throws, Unsupported (too many points).
std::shared_ptr<const MeshInput> withThickness(std::shared_ptr<const MeshInput> input,
                                               std::vector<std::string>& explain);

}  // namespace farfield::paging
