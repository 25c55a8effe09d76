#include "core/session/kinds/arrows/places_apart.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/scene/camera.h"

namespace farfield::session {
namespace {

constexpr const char* kWhat = "places of arrows, of which a larger spacing has fewer";

/// After so many places it is time to look at the clock.
constexpr std::size_t kPlacesPerLook = 64;

/// To which a surface faces once it is stretched.
Vec3 stretchedSide(Vec3 side, Vec3 stretch) {
  if (stretch == scene::kUnstretched) return side;
  const Vec3 across = scene::unstretched(side, stretch);
  return (1 / length(across)) * across;
}

bool hasRoom(NearPlaces& kept, Vec3 place, Vec3 side) {
  try {
    kept.add(place, side);
    return true;
  } catch (const OverBudget&) {
    if (kept.isEmpty()) throw;
    return false;
  }
}

}  // namespace

std::vector<bool> placesApart(const Polylines& places, double distance, Vec3 stretch,
                              const ObjectSurroundings& surroundings, const TimeBudget& budget,
                              std::uint64_t& looked) {
  const std::uint64_t count = places.vertexCount();
  const MemoryClaim claim = surroundings.account.claim(
      Purpose::Results, std::max(kPlacesApartBytes - NearPlaces::kBytesAtFirst, count / 8 + 8), kWhat);
  std::vector<bool> apart(count, true);
  looked = count;
  // Those before `done` are decided, and have taken away what is near to them.
  for (std::size_t done = 0; done < count;) {
    NearPlaces kept(distance, surroundings.account, kWhat);
    std::size_t n = 0, end = count;
    places.visitVertices([&](const PolylineSummary&, std::span<const double> place) {
      if (surroundings.stop.stop_requested()) throw Cancelled();
      const std::size_t at = n++;
      if (at % kPlacesPerLook == 0 && at < looked && budget.isSpent()) looked = at;
      if (at >= looked) apart[at] = false;
      if (at < done || !apart[at]) return;
      const Vec3 point = scene::stretched(Vec3{place[0], place[1], place[2]}, stretch);
      const Vec3 side = stretchedSide(Vec3{place[3], place[4], place[5]}, stretch);
      if (kept.isNear(point, distance, side))
        apart[at] = false;
      else if (at < end && !hasRoom(kept, point, side))
        end = at;
    });
    done = end;
  }
  return apart;
}

}  // namespace farfield::session
