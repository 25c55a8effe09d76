#pragma once
// Grid surfaces of unstructured blocks: some of the block's faces, flat shaded.
//
// Grid surfaces: the nodes of a block between two index limits with one index fixed, as triangles with
// normals and function values; cells with a blanked node (iblank 0) are left out. The work is cut into
// patches of fixed size, one task each, so that the result does not depend on how the data are paged. A patch
// is complete in itself: nodes on the border of two patches are in both, with equal values.
//
// A surface may also lie between two sheets of nodes, at a share of the cells between them: its points and values
// are those of the two sheets, weighted, as trilinear interpolation has them there. Cells count whole: one with a
// blanked node on either sheet is left out.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::extract {

/// One patch's triangles. Spans are valid during the call.
struct SurfacePatch {
  std::span<const double> points;   ///< 3 per node
  std::span<const double> normals;  ///< 3 per node, unit length; 0 if the surface has no area
  std::span<const double> values;   ///< functions.outputCount() per node
  std::span<const std::uint32_t>
      triangles;  ///< 3 node numbers of this patch each; counter-clockwise seen from the normals' side
  /// The cells lie on the side to which the normals do not point: who is among them sees that side.
  bool seenFromBehind = false;
  /// By triangle, which of its sides are edges of cells: bit n the side from its corner n to the next. Or empty.
  std::span<const std::uint8_t> sides = {};
  /// Cells are on one side alone, that of seenFromBehind: the data end here.
  bool isBorder = false;
};

class SurfaceSink {
 public:
  /// Called from the task's thread. Several patches of one number come one after the other. A patch may have
  /// no triangles.
  virtual void patch(std::size_t number, const SurfacePatch& patch) = 0;

 protected:
  ~SurfaceSink() = default;
};

/// A surface of one block. Immutable.
class GridSurface {
 public:
  static constexpr std::int64_t kPatchCells = 16;

  /// `nodes` is a box of nodes of block `block`, of size 1 along exactly one axis (the one of least index if
  /// there are several). Of an unstructured block it is a range of its faces, as of paging::NamedSurface.
  /// `beyond`: how far the surface lies beyond those nodes, in cells, from 0 to less than 1; not for faces.
  /// Throws Invalid if it is not inside the block or has no surface.
  GridSurface(const paging::DatasetDescription& description, int block, const IndexBox& nodes,
              double beyond = 0);

  /// Of blocks of the same data.
  bool operator==(const GridSurface&) const = default;
  int block() const { return m_block; }
  /// All nodes that its patches gather, of the grid and the functions' arrays.
  IndexBox nodes() const;
  /// Nodes beside the surface of which its patches gather the places as well: of a sheet on the border of its block one for each
  /// patch. Every `stride`-th of a box, along each axis from its first on.
  struct SparseNodes {
    IndexBox box;
    Index3 stride{1, 1, 1};
  };
  std::vector<SparseNodes> nodesBehind(const Index3& dims) const;
  /// 0: it is a sheet of nodes; else the share of the cells at which it lies between two.
  double beyond() const { return m_beyond; }
  std::size_t patchCount() const { return static_cast<std::size_t>(m_patches[0] * m_patches[1]); }
  /// Whether it consists of faces of an unstructured block.
  bool isFaces() const { return m_isFaces; }
  /// The nodes of patch `number`, with its border; or its faces.
  IndexBox patchNodes(std::size_t number) const;
  /// Axes (0, 1, 2 for i, j, k): u and v are along the surface, u x v is the direction of the fixed axis in
  /// index space.
  int u() const { return m_u; }
  int v() const { return m_v; }
  int fixedAxis() const { return 3 - m_u - m_v; }
  /// Computes patch `number`; one task's work. Throws what gathering throws.
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
               const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const;

 private:
  IndexBox withNeighbours(const IndexBox& patch) const;
  IndexBox nextSheet(IndexBox nodes) const;
  std::optional<Index3> nodeBehind(const Index3& node, const Index3& dims) const;
  void extractFaces(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                    const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const;

  int m_block;
  IndexBox m_nodes;
  double m_beyond = 0;
  bool m_isFaces = false;  ///< of an unstructured block
  int m_u = 0, m_v = 1;    ///< the axes of the surface; u x v is the direction of the fixed axis
  std::int64_t m_patches[2];
};

/// Bytes that extract() needs per task for `functions`, for the memory plan.
std::uint64_t surfaceTaskBytes(const fields::FunctionPlan& functions);

}  // namespace farfield::extract
