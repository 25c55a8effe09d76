#pragma once
// The elements of Exodus II as corners of hexahedra (core/paging/pages/unstructured_cells.h), and their sides. Sandia
// Report SAND92-2137, "EXODUS II: A Finite Element Data Model", section 4 (element types and side numbering).

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/paging/pages/unstructured_cells.h"

namespace farfield::exodus {

/// By the name of an element type ("HEX8", "TETRA"); nothing for elements without a volume. Those of higher order
/// begin with their corners.
std::optional<paging::UnstructuredShape> shapeOfElement(std::string_view type);
/// Of triangles and quadrilaterals ("TRI6", "SHELL", "QUAD4"), with `nodes` nodes: how many corners they have; 0 for others.
std::size_t cornersOfFlat(std::string_view type, std::int64_t nodes);
/// How many corners elements of a shape have.
std::size_t cornersOf(paging::UnstructuredShape shape);
/// The cell of an element whose nodes begin with `corners`.
paging::CellNodes cellOf(paging::UnstructuredShape shape, std::span<const std::int32_t> corners);
/// The corners of side `side` (from 1), around it; of a triangle the last twice. Nothing if there is no such side.
std::optional<std::array<std::int32_t, 4>> sideOf(paging::UnstructuredShape shape,
                                                  std::span<const std::int32_t> corners, std::int64_t side);

}  // namespace farfield::exodus
