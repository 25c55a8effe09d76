#pragma once
// Lines that keep their distance, so that none covers another: in the order of the seeds a line is taken if its seed is
// far enough from those taken before, and ends where it comes to half that distance of one of them (B. Jobard, W. Lefer: Creating
// Evenly-Spaced Streamlines of Arbitrary Density, 1997; there seeds are found along lines, here they are given).

#include <memory>
#include <vector>

#include "core/session/particles/polyline_spool.h"
#include "core/session/results/line_spool.h"
#include "core/session/run/object_run.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

/// Those of `lines`, whole or cut, that keep `spacing` > 0 (a length); the lines of a seed, one for each of `directions`, do not
/// keep it from each other. With `haveSides` the last three values of a vertex are the side to which the surface faces that the line is on: what is on the
/// opposite side of a thin body is not near, as NearPlaces has it. A line of which less than two vertices are left is none, and keeps none away. Vertices and cells as of polylinesOf(). Memory for
/// the places of lines is claimed: some 100 bytes for each quarter of the spacing along them. Lines that come when `budget` is
/// spent are left out, and one that is being looked at then ends there, out of time; `kept` is the part that was looked at whole, 0 … 1.
/// Throws Io, OverBudget, Cancelled.
std::shared_ptr<const PolylineSpool> spacedLines(const LineSpool& lines, const std::vector<int>& directions,
                                                 double spacing, const ObjectSurroundings& surroundings,
                                                 const TimeBudget& budget, double& kept,
                                                 bool haveSides = false);

}  // namespace farfield::session
