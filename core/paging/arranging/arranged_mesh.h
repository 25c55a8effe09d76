#pragma once
// An unstructured grid in the order in which pages serve it: cells along a space-filling curve, nodes as the
// cells meet them first, with the neighbours of cells, faces and location bounds; and where each node and cell
// stood in the file. One file of plain numbers, which is written once and read by position.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/geometry.h"
#include "core/paging/pages/description.h"
#include "core/paging/pages/unstructured_cells.h"

namespace farfield::paging {

struct ArrangedMesh {
  /// A range of faces with a name; the first is the border.
  struct Surface {
    std::string name, kind, from;
    std::int64_t first = 0, count = 0;
  };

  std::int64_t nodes = 0, cells = 0, faces = 0;
  std::int64_t pointSteps = 1;  ///< of which the bounds are there; points that move stay in the grid's file
  ScalarType pointType = ScalarType::F64;
  Bounds bounds;
  std::array<std::int64_t, kUnstructuredShapes> shapes{};  ///< cells of each shape
  std::int64_t flat = 0;                                   ///< cells without a volume
  std::vector<Surface> surfaces;

  /// Places in the file: int32 but for the points (pointType) and the bounds (float32).
  std::uint64_t cellsAt = 0, neighboursAt = 0, cellOrderAt = 0, nodeOrderAt = 0, pointsAt = 0, facesAt = 0;
  std::vector<std::uint64_t> boundsAt;  ///< by level, the steps of a level in a row
  std::uint64_t end = 0;
  std::shared_ptr<const File> file;

  /// "10,648 cells: 10,648 hexahedra".
  std::string shapesText() const;
  /// Bounds of level `level` at step `step`.
  std::uint64_t boundsPlace(int level, std::int64_t step) const;
  /// Sets the places before `facesAt`, for the numbers of nodes and cells.
  void placeParts();
};

}  // namespace farfield::paging
