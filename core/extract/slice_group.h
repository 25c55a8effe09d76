#pragma once
// Cuts one group of cells with a plane: reads what is needed and makes triangles. Private to the folder.

#include <array>
#include <cstdint>
#include <vector>

#include "core/extract/cell_contour.h"
#include "core/extract/grid_surface.h"
#include "core/extract/pair_numbers.h"
#include "core/extract/plane.h"
#include "core/fields/groups/cell_groups.h"

namespace farfield::extract::detail {

/// Belongs to one task and one block; used for one group after the other.
class SliceGroup {
 public:
  /// `side`: 1 if nodes on the plane count as above it, -1 if as below.
  SliceGroup(const Plane& plane, double side, int block, fields::PagedData& data, tasks::TaskContext& context,
             const fields::FunctionPlan& functions, std::int64_t step);
  static std::uint64_t bytesFor(const fields::FunctionPlan& functions);

  /// Who takes the patches reads pages as well: none are held while they are passed on. Not for unstructured blocks.
  void holdNoPages() { m_holdsPages = false; }
  /// Passes the triangles of `group` to `sink` as patches `number`. May stop the task. Throws what gathering
  /// throws.
  void cut(const fields::CellGroup& group, std::size_t number, SurfaceSink& sink);

 private:
  /// Per patch. A plane crosses fewer edges of an ordinary group; if it crosses more, the group is cut into
  /// pieces.
  static constexpr std::size_t kMostVertices = 320;
  /// per patch: an edge belongs to at most four cells, and a polygon of n corners has n - 2 triangles
  static constexpr std::size_t kMostTriangles = 4 * kMostVertices;

  /// Sets of corners: bit c is corner c.
  struct Sides {
    unsigned above, leftOut;
  };
  Sides sidesOf(const fields::GroupCell& cell) const;
  const CellPolygons& polygonsOf(const fields::GroupCell& cell) const;
  bool keepCut(fields::CellPart& part);
  bool fits(const fields::CellPart& part);
  void cutPiece(const fields::CellPart& part, std::size_t number, SurfaceSink& sink);
  std::uint16_t vertex(const fields::GroupCell& cell, const std::array<std::uint8_t, 2>& edge);
  void addVertex(std::size_t node, std::size_t other, double share);
  void addPolygon(std::size_t corners);
  double twiceArea(std::uint16_t a, std::uint16_t b, std::uint16_t c) const;

  const Plane& m_plane;
  double m_side;
  std::size_t m_outputs;
  fields::GroupReader m_group;
  bool m_holdsPages = true;
  std::vector<double> m_distances;     ///< of its nodes, positive on m_side of the plane
  std::vector<std::uint32_t> m_sides;  ///< of its nodes: their side, or that they are left out
  PairNumbers<10> m_vertexOf;          ///< by edge, and by node on the plane (as a pair with itself)
  std::array<std::uint16_t, kCellEdges> m_corners{};  ///< of a polygon
  // the patch
  std::vector<double> m_points, m_normals, m_pointValues;
  std::vector<std::uint32_t> m_triangles;
  std::vector<std::uint8_t> m_cellSides;  ///< as SurfacePatch has them
};

}  // namespace farfield::extract::detail
