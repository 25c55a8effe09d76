#pragma once
// A part of a grid surface as a net on which lines can be followed (flow_sheet.h): the nodes of a patch and so many around it,
// with the functions there. Normals of the net's u x v are those of the surface.

#include <array>
#include <cstdint>

#include "core/extract/flow_sheet.h"
#include "core/extract/grid_surface.h"

namespace farfield::extract {

struct SheetNet {
  FlowSheet sheet;
  std::array<std::int64_t, 2> first{}, cells{};  ///< the patch's own, along u and v
  bool seenFromBehind = false;                   ///< as SurfacePatch has it
};

/// Patch `number` of `surface`, which is not of faces, with up to `margin` cells around it that belong to the surface
/// too. Part of a task's work. Throws what gathering throws.
SheetNet readNet(const GridSurface& surface, std::size_t number, std::int64_t margin, fields::PagedData& data,
                 tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step);
/// Memory while it is read, and of the result.
std::uint64_t readNetBytes(const fields::FunctionPlan& functions, std::int64_t margin);

}  // namespace farfield::extract
