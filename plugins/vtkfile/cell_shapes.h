#pragma once
// VTK's types of cells as corners of hexahedra (core/paging/pages/unstructured_cells.h).

#include <array>
#include <functional>
#include <span>

#include "core/paging/pages/unstructured_cells.h"

namespace farfield::vtkfile {

constexpr std::int64_t kPolyhedron = 42;

/// Whether cells of VTK's type `type` have a volume and are read.
bool hasVolume(std::int64_t type);

/// Whether cells of VTK's type `type` are triangles, quadrilaterals or polygons.
bool hasArea(std::int64_t type);

/// Calls `add` with the triangles and quadrilaterals (corners around them; of a triangle the last twice) that a cell of `type`
/// stands for: none without an area, several for a polygon, which is cut from its lowest point, and for a strip. False if it
/// has too few points.
bool flatCellsOf(std::int64_t type, std::span<const std::int64_t> points,
                 const std::function<void(const std::array<std::int32_t, 4>&)>& add);

/// Calls `add` with the cells that a cell of `type` with these `points` stands for: none without a volume, several
/// for a polyhedron, whose `faces` are their count and, for each, the count of its points and these. False if it
/// has too few points, or the faces do not fit together.
bool cellsOf(std::int64_t type, std::span<const std::int64_t> points, std::span<const std::int64_t> faces,
             const std::function<void(const paging::CellNodes&)>& add);

}  // namespace farfield::vtkfile
