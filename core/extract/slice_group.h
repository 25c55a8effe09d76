#pragma once
// One group of cells while a plane cuts it: gathers what is needed of it, and makes triangles. Private to the
// folder.

#include <array>
#include <cstdint>
#include <vector>

#include "core/extract/cell_contour.h"
#include "core/extract/grid_surface.h"
#include "core/extract/plane.h"
#include "core/fields/box_functions.h"
#include "core/fields/box_search.h"

namespace farfield::extract::detail {

/// Belongs to one task and one block; used for one group after the other.
class SliceGroup {
 public:
  /// `side`: 1 where nodes on the plane count as above it, -1 where as below.
  SliceGroup(const Plane& plane, double side, int block, fields::PagedData& data, tasks::TaskContext& context,
             const fields::FunctionPlan& functions, std::int64_t step);
  static std::uint64_t bytesFor(const fields::FunctionPlan& functions);

  /// Hands the triangles of `cells`, at most kCellsPerGroup along each axis, to `sink` as patches `number`.
  /// May stop the task. Throws what gathering throws.
  void cut(const IndexBox& cells, std::size_t number, SurfaceSink& sink);

 private:
  static constexpr std::int64_t kCells = fields::kCellsPerGroup;
  static constexpr std::int64_t kNodes = (kCells + 1) * (kCells + 1) * (kCells + 1);
  /// Of a patch. A plane through cells of one shape crosses fewer edges of a group; where it crosses more,
  /// the group is cut in pieces.
  static constexpr std::size_t kMostVertices = 320;
  /// Of them; an edge is one of at most four cells, and a polygon has two triangles fewer than corners.
  static constexpr std::size_t kMostTriangles = 4 * kMostVertices;
  static constexpr std::uint16_t kNone = 0xffff;

  std::size_t nodeAt(const Index3& node) const;
  Vec3 pointAt(std::size_t node) const { return {m_xyz[3 * node], m_xyz[3 * node + 1], m_xyz[3 * node + 2]}; }
  void place(const IndexBox& nodes);
  void blank(const IndexBox& nodes);
  unsigned cornersAbove(const Index3& cell) const;
  IndexBox cutCells(const IndexBox& cells) const;
  std::size_t crossedEdges(const IndexBox& cells) const;
  void cutPiece(const IndexBox& cells, std::size_t number, SurfaceSink& sink);
  std::uint16_t vertex(const Index3& cell, const CellEdge& edge);
  void addVertex(std::size_t node, std::size_t other, double share);
  void addPolygon(std::size_t corners);
  double twiceArea(std::uint16_t a, std::uint16_t b, std::uint16_t c) const;

  const Plane& m_plane;
  double m_side;
  const fields::FunctionPlan& m_functions;
  const paging::BlockDescription& m_grid;
  paging::Cursor m_cursor;
  fields::BlockSlots m_slots;
  fields::BoxFunctions m_boxFunctions;
  std::size_t m_outputs;

  IndexBox m_nodes;                 ///< of the group
  std::vector<double> m_xyz;        ///< of its nodes
  std::vector<double> m_distances;  ///< of its nodes, on m_side of the plane; no number: left out
  std::vector<double> m_iblank;
  IndexBox m_valued;  ///< nodes around what is cut
  std::vector<double> m_values;
  /// Of each node its number as a vertex, and those of the vertices on the edges that it begins.
  std::vector<std::array<std::uint16_t, 4>> m_vertexOf;
  std::array<std::uint16_t, kCellEdges> m_corners{};  ///< of a polygon
  // A patch.
  std::vector<double> m_points, m_normals, m_pointValues;
  std::vector<std::uint32_t> m_triangles;
};

}  // namespace farfield::extract::detail
