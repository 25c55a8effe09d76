#pragma once
// Which of many places keep their distance from those before them on the same side of their surface, within the memory that there is.

#include <vector>

#include "core/session/results/polylines.h"
#include "core/session/run/near_places.h"
#include "core/session/run/object_run.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {

/// What placesApart() needs at least.
constexpr std::uint64_t kPlacesApartBytes = NearPlaces::kBytesAtFirst + 8 * 1024;

/// For each of the lines of one vertex, a point and the direction to which its surface faces, whether it is at least `distance` from all
/// before it that are so, too, and do not face the opposite way, where axes are `stretch` times as long. They are read
/// again and again where the memory for places is short: each time as many as there is room for keep the others away. Claims
/// kPlacesApartBytes, and a bit for each place where that is more than it holds. Where `budget` is spent before, those that were not
/// looked at are left out, and `looked` is how many were. Throws Io, OverBudget, Cancelled.
std::vector<bool> placesApart(const Polylines& places, double distance, Vec3 stretch,
                              const ObjectSurroundings& surroundings, const TimeBudget& budget,
                              std::uint64_t& looked);

}  // namespace farfield::session
