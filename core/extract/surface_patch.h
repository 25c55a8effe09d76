#pragma once
// One patch of a grid surface while it is made: gathers its nodes with a node more on each side, and makes
// triangles, normals and function values of those that are drawn. Private to the folder.

#include <cstdint>
#include <vector>

#include "core/extract/grid_surface.h"

namespace farfield::extract::detail {

/// The nodes of a patch in a surface whose axes are `u` and `v` (0, 1, 2 for i, j, k; u x v is the third).
struct PatchNodes {
  int block = 0;
  int u = 0, v = 1;
  IndexBox patch;     ///< its own, border included
  IndexBox gathered;  ///< with the neighbours that normals need
};

/// Belongs to one task.
class PatchBuilder {
 public:
  /// Gathers; may stop the task. Throws what gathering throws.
  PatchBuilder(const PatchNodes& nodes, fields::PagedData& data, tasks::TaskContext& context,
               const fields::FunctionPlan& functions, std::int64_t step);
  /// Makes the triangles and hands them to `sink` as patch `number`.
  void build(std::size_t number, SurfaceSink& sink);

 private:
  void gather(fields::PagedData& data, tasks::TaskContext& context, std::int64_t step);
  void placeRegularNodes(const paging::BlockDescription& grid);
  std::size_t indexOf(std::int64_t u, std::int64_t v) const;
  Vec3 pointAt(std::size_t n) const { return {m_xyz[3 * n], m_xyz[3 * n + 1], m_xyz[3 * n + 2]}; }
  bool isDrawn(std::int64_t u, std::int64_t v) const;
  Vec3 twiceArea(std::int64_t u, std::int64_t v) const;
  Vec3 normalAt(std::int64_t u, std::int64_t v) const;
  std::uint32_t vertex(std::int64_t u, std::int64_t v);

  PatchNodes m_nodes;
  const fields::FunctionPlan& m_functions;

  // Gathered nodes.
  std::vector<double> m_xyz, m_iblank;
  // The patch.
  std::vector<double> m_patchValues;     ///< of all its nodes, drawn or not
  std::vector<std::int64_t> m_numberOf;  ///< of each node of the patch in the output, or -1
  std::vector<double> m_points, m_normals, m_values;
  std::vector<std::uint32_t> m_triangles;
};

}  // namespace farfield::extract::detail
