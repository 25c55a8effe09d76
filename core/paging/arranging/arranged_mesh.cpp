#include "core/paging/arranging/arranged_mesh.h"

#include "core/paging/location/cell_boxes.h"

namespace farfield::paging {

std::string ArrangedMesh::shapesText() const {
  std::string text = std::to_string(cells) + " cells";
  const char* between = ": ";
  for (std::size_t n = 0; n < shapes.size(); ++n) {
    if (shapes[n] == 0) continue;
    text += between + std::to_string(shapes[n]) + " " + nameOf(static_cast<UnstructuredShape>(n));
    between = ", ";
  }
  if (flat > 0) text += between + std::to_string(flat) + " triangles and quadrilaterals";
  return text;
}

std::uint64_t ArrangedMesh::boundsPlace(int level, std::int64_t step) const {
  const std::int64_t before = step * product(levelDims({cells, 1, 1}, level));
  return boundsAt[static_cast<std::size_t>(level)] + static_cast<std::uint64_t>(before) * sizeof(CellBox);
}

void ArrangedMesh::placeParts() {
  std::uint64_t at = 0;
  const auto place = [&at](std::int64_t items, std::uint64_t bytes) {
    const std::uint64_t begin = at;
    at += static_cast<std::uint64_t>(items) * bytes;
    return begin;
  };
  pointsAt = place(pointSteps > 1 ? 0 : nodes, 3 * static_cast<std::uint64_t>(sizeOf(pointType)));
  cellsAt = place(cells, sizeof(CellNodes));
  neighboursAt = place(cells, kCellFaces * sizeof(std::int32_t));
  cellOrderAt = place(cells, sizeof(std::int32_t));
  nodeOrderAt = place(nodes, sizeof(std::int32_t));
  boundsAt.clear();
  const Index3 dims{cells, 1, 1};
  for (int level = 0; level < levelCount(dims); ++level)
    boundsAt.push_back(place(pointSteps * product(levelDims(dims, level)), sizeof(CellBox)));
  facesAt = at;
}

}  // namespace farfield::paging
