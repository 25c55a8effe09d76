#include "plugins/arrays/same_place.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield::arrays {
namespace {

std::string textOf(const Vec3& vector) {
  return "(" + formatNumber(vector.x) + ", " + formatNumber(vector.y) + ", " + formatNumber(vector.z) + ")";
}

[[noreturn]] void refuse(const std::string& what, const Vec3& its, const Vec3& first) {
  throw Unsupported("has " + what + " " + textOf(its) + " where the first of the files has " + textOf(first) +
                        ", and grids that move are not read",
                    "open the files one at a time, or place all alike by the options origin and spacing");
}

}  // namespace

void checkSamePlace(const NodePlace& first, const NodePlace& other, const Index3& nodes,
                    const Options& options) {
  double cell = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 3; ++a)
    if (nodes[a] > 1) cell = std::min(cell, length(first.directions[a]));
  if (std::none_of(nodes.begin(), nodes.end(), [](std::int64_t count) { return count > 1; })) cell = 1;
  const double near = 1e-3 * cell;
  if (!options.contains("origin") && !(length(other.origin - first.origin) <= near))
    refuse("the origin", other.origin, first.origin);
  if (options.contains("spacing")) return;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto along = static_cast<double>(nodes[a] - 1);
    if (nodes[a] > 1 && !(along * length(other.directions[a] - first.directions[a]) <= near))
      refuse(std::string("along ") + "ijk"[a] + " the distance", other.directions[a], first.directions[a]);
  }
}

}  // namespace farfield::arrays
