#pragma once
// The maps of the cells of unstructured grids, by shape: each is part of a hexahedron's (trilinear.h), so that
// one Newton's method and one set of formulas serve all. Weights of the corners are those of the shape: linear
// in a tetrahedron, linear times linear in a wedge, and in a pyramid as in a hexahedron whose upper face has
// collapsed to the apex.

#include <algorithm>
#include <array>

#include "core/fields/cells/cell_flow.h"
#include "core/paging/pages/unstructured_cells.h"

namespace farfield::fields {

using paging::UnstructuredShape;

/// A vector given at the corners, in the cell's own coordinates.
inline TrilinearVector vectorIn(UnstructuredShape shape, const CellCorners& corners) {
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return TrilinearVector::ofTetrahedron(corners);
    case UnstructuredShape::Wedge:
      return TrilinearVector::ofWedge(corners);
    case UnstructuredShape::Pyramid:
    case UnstructuredShape::Hexahedron:
      break;
  }
  return TrilinearVector(corners);
}

/// The weights of a cell's own corners, in the order of ownCorners().
struct ShapeWeights {
  std::array<double, paging::kCellCorners> weights;
  std::size_t count;
};
inline ShapeWeights weightsIn(UnstructuredShape shape, Vec3 xi) {
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return {{1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z}, 4};
    case UnstructuredShape::Pyramid: {
      const auto w = cornerWeights(xi);
      return {{w[0], w[1], w[2], w[3], xi.z}, 5};
    }
    case UnstructuredShape::Wedge: {
      const double z0 = 1 - xi.z, rest = 1 - xi.x - xi.y;
      return {{rest * z0, xi.x * z0, xi.y * z0, rest * xi.z, xi.x * xi.z, xi.y * xi.z}, 6};
    }
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {cornerWeights(xi), 8};
}

/// Where a search begins.
inline Vec3 centreOf(UnstructuredShape shape) {
  constexpr double kThird = 1.0 / 3;
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return {0.25, 0.25, 0.25};
    case UnstructuredShape::Wedge:
      return {kThird, kThird, 0.5};
    case UnstructuredShape::Pyramid:
      return {0.5, 0.5, 0.25};
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {0.5, 0.5, 0.5};
}

/// How far `xi` is outside, in cells; negative inside.
inline double outsideBy(UnstructuredShape shape, Vec3 xi) {
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return Tetrahedron::outsideBy(xi);
    case UnstructuredShape::Wedge:
      return Wedge::outsideBy(xi);
    case UnstructuredShape::Pyramid:
    case UnstructuredShape::Hexahedron:
      break;
  }
  return Hexahedron::outsideBy(xi);
}

/// How far `xi` is beyond each face of the cell (unstructured_cells.h); negative inside.
inline std::array<double, paging::kCellFaces> beyondFaces(UnstructuredShape shape, Vec3 xi) {
  constexpr double kNever = -1;
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return {-xi.x, xi.x + xi.y + xi.z - 1, -xi.y, kNever, -xi.z, kNever};
    case UnstructuredShape::Wedge:
      return {-xi.x, xi.x + xi.y - 1, -xi.y, kNever, -xi.z, xi.z - 1};
    case UnstructuredShape::Pyramid:
      return {-xi.x, xi.x - 1, -xi.y, xi.y - 1, -xi.z, kNever};
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {-xi.x, xi.x - 1, -xi.y, xi.y - 1, -xi.z, xi.z - 1};
}

/// The face of the cell for a face of its flow (cell_flow.h). Where a measure meets an end in a corner or an
/// edge only, a face beside it is as good.
inline int faceOfCell(UnstructuredShape shape, int face) {
  const bool slanted = shape == UnstructuredShape::Tetrahedron || shape == UnstructuredShape::Wedge;
  if (!slanted || face == 1) return face;
  if (face == 7 || face == 3) return 1;
  if (face == 6) return 0;
  return face == 5 && shape == UnstructuredShape::Tetrahedron ? 1 : face;
}

/// `xi` moved onto a face of the cell.
inline Vec3 onFaceOfCell(UnstructuredShape shape, Vec3 xi, int face) {
  if (face == 1 && shape == UnstructuredShape::Tetrahedron) return Tetrahedron::onFace(xi, 7);
  if (face == 1 && shape == UnstructuredShape::Wedge) return Wedge::onFace(xi, 7);
  return Hexahedron::onFace(xi, face);
}

}  // namespace farfield::fields
