#include "render/qt3d/moved_places.h"

#include <cmath>

#include "render/view/vertex_arrays.h"

namespace farfield::qt3d {
namespace {

// A range so many times narrower than the one that vertices were made for would show the rounding of floats.
constexpr double kMostNarrowing = 256;
// Of the range that they were made for, to either side: well within what places can be.
constexpr double kMostWidening = view::kFarthestPlace / 10;

}  // namespace

bool canBeMoved(const scene::ColorScale& built, const scene::ColorScale& scale) {
  if (built.logarithmic != scale.logarithmic) return false;
  if (built.min == scale.min && built.max == scale.max) return true;
  const double was = built.max - built.min, is = scale.max - scale.min;
  const double away = std::abs(built.min - scale.min);
  return !scale.logarithmic && was > 0 && is > 0 && std::isfinite(was) && std::isfinite(is) &&
         was <= kMostNarrowing * is && away <= 1e5 * is && away + is <= kMostWidening * was;
}

void movePlaces(Look& look, const scene::ColorScale& built, const scene::ColorScale& scale) {
  look.placeFactor = 1;
  look.placeOffset = 0;
  if (built.min == scale.min && built.max == scale.max) return;
  const double is = scale.max - scale.min;
  look.placeFactor = float((built.max - built.min) / is);
  look.placeOffset = float((built.min - scale.min) / is);
}

}  // namespace farfield::qt3d
