#pragma once
// Where sheets of structured blocks meet, so that lines go from one to the next: blocks that a grid was cut into have the nodes of the cut
// twice, and an O-grid has those of its seam twice in one sheet. The outer sides of the outer cells are sorted by the places of their ends,
// as loose sides of faces are (face_links.h): two at the same place, to the last digits, meet where just these two are there.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/extract/face_links.h"
#include "core/extract/flow_sheet.h"
#include "core/extract/grid_surface.h"

namespace farfield::extract {

/// Edges of a sheet: v = 0, v = its last, u = 0, u = its last. The first two go along u, the others along v.
constexpr int kSheetEdges = 4;
/// 0 or 1, for u or v: along an edge; across it the other one.
constexpr std::size_t alongEdge(int edge) {
  return edge < 2 ? 0 : 1;
}

/// Cells of `surface`, which is not of faces, along u and v.
std::array<std::int64_t, 2> cellsOf(const GridSurface& surface);

/// A place on an edge of one of several sheets.
struct SheetEdgePlace {
  std::size_t sheet = 0;
  int edge = 0;
  FlowSheet::Place place;  ///< in the sheet's cells
};

/// Immutable and thread-safe.
class SheetSeams {
 public:
  /// What lies beyond a place on an edge: the same point. Nothing where no sheet meets there. Throws Io.
  std::optional<SheetEdgePlace> beyond(const SheetEdgePlace& from) const;
  const std::vector<GridSurface>& sheets() const { return m_sheets; }

 private:
  friend class SheetSeamer;
  std::vector<GridSurface> m_sheets;
  std::vector<std::int64_t> m_first;         ///< of each sheet's sides, edge by edge, and the end
  std::shared_ptr<const FaceLinks> m_links;  ///< of which four sides are a face
};

/// Makes them.
class SheetSeamer {
 public:
  /// Those that are of faces meet nothing.
  explicit SheetSeamer(std::vector<GridSurface> sheets);
  /// For a linker, to which placeEdge() adds all of them once it has linked by nodes, which are none.
  std::int64_t faces() const { return (m_seams->m_first.back() + kSheetEdges - 1) / kSheetEdges; }
  std::size_t edges() const { return kSheetEdges * m_seams->m_sheets.size(); }
  /// Edge `number` of all. One task's work, with no other cursor. Throws what gathering throws, and what the linker throws.
  void placeEdge(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                 const fields::FunctionPlan& functions, std::int64_t step, FaceLinker& linker) const;
  /// Once, and nothing else afterwards.
  std::shared_ptr<const SheetSeams> finish(std::shared_ptr<const FaceLinks> links);

 private:
  std::shared_ptr<SheetSeams> m_seams;
};

}  // namespace farfield::extract
