#pragma once
// Lines on a grid surface that follow the part of a vector along it, such as the lines of wall shear (skin-friction lines,
// limiting streamlines). A line goes from patch to patch in the coordinates of the surface's cells (flow_sheet.h), so it is
// never off the surface; where another sheet meets its edge it goes on in that one, from the same point (sheet_seams.h). It ends at an edge where
// none does, at blanked cells, and where the vector has no part along the surface. Where the vector points out of both sheets, the line follows
// their edge. Steps are of the midpoint rule and an eighth of a cell: their error is far below that of the bilinear
// interpolation between nodes. Where the vector comes together from both sides of a line, as wall shear does at a separation, a line goes along
// it, by the mean of the two sides, and ends where that leads nowhere.

#include <array>
#include <cstdint>
#include <span>

#include "core/extract/flow_sheet.h"
#include "core/extract/grid_surface.h"
#include "core/extract/sheet_seams.h"

namespace farfield::extract {

enum class SheetLineEnd {
  Edge,      ///< of the surface, or a blanked cell; the last vertex lies at most a step before it
  Length,    ///< it is as long as it may be
  Steps,     ///< it has as many steps as it may have
  Still,     ///< the vector has no part along the surface, or is not finite
  NotThere,  ///< it starts in a blanked cell, and has no vertex
};

struct SheetLineOptions {
  double maxLength = 1;  ///< above 0
  std::int64_t maxSteps = 20'000;
};

class SheetLineSink {
 public:
  /// `length` along the line from its start, `values` of the functions there. `side`: to which the surface faces, where its cells are, of unit
  /// length; of a sheet within a block as its nodes run; 0 where it has no area. Valid during the call.
  virtual void vertex(Vec3 point, double length, Vec3 side, std::span<const double> values) = 0;

 protected:
  ~SheetLineSink() = default;
};

/// Follows the first three values of `functions` from `start`, in cells from the first node of surface `first` of those that
/// `seams` are of; against them if `direction` is -1. One task's work. Throws what gathering throws, and Io.
SheetLineEnd followOnSheets(const SheetSeams& seams, std::size_t first, FlowSheet::Place start, int direction,
                            const SheetLineOptions& options, fields::PagedData& data,
                            tasks::TaskContext& context, const fields::FunctionPlan& functions,
                            std::int64_t step, SheetLineSink& sink);
std::uint64_t sheetLineBytes(const fields::FunctionPlan& functions);

}  // namespace farfield::extract
