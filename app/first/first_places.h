#pragma once
// Where in given data what is added begins: places that can be found, seeds, and rakes that do not lie in a hole.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Enough to see how everything flows, and few enough to be there at once.
constexpr std::int64_t kSpreadSeeds = 80;

/// Whether there is something between the outer faces, which planes and isosurfaces cut.
bool hasInside(const DataSummary& data);
/// Whether places can be found in them, of which lines and probes are made: not in surfaces in space.
bool holdsPlaces(const DataSummary& data);
/// Whether they are one surface in space or several, and nothing else.
bool isSurfaceInSpace(const DataSummary& data);
/// Whether cells of them are those of a plane, made into a layer (paging::isLayer).
bool liesInPlane(const DataSummary& data);
/// Whether places within their bounds may lie outside of them.
bool mayHaveHoles(const DataSummary& data);
/// The middle of the data or, of several blocks, that of the largest: the middle of all of them may be inside of what they
/// surround.
Vec3 placeInside(const DataSummary& data);

/// Seeds of the kind `index` (as in session::Seeds) for these data.
session::Seeds newSeeds(std::size_t index, const DataSummary& data);
/// Where a new rake may stand, the usual place (newSeeds(1)) first: parallel to it, up and down the flow and beside it.
std::vector<session::LineSeeds> rakePlaces(const DataSummary& data);
/// The first of `places` (at least one) of which half the seeds lie in the data side by side, or else that of which most do, with
/// all its seeds on the part that does. Where none does, one through the place that `seek` finds near the first. None where
/// there is none, and where no two seeds have room.
std::optional<session::LineSeeds> rakeInside(const std::vector<session::LineSeeds>& places,
                                             const std::function<bool(Vec3)>& isInside,
                                             const std::function<std::optional<Vec3>(Vec3)>& seek);

}  // namespace farfield::app
