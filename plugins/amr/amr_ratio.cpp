#include "plugins/amr/amr_ratio.h"

#include <cmath>
#include <string>

#include "core/base/error.h"
#include "plugins/amr/amr_hierarchy.h"

namespace farfield::amr {

Index3 ratioBetween(Vec3 coarse, Vec3 fine, std::size_t level) {
  constexpr double kRounded = 0.01;
  Index3 ratio{1, 1, 1};
  for (int a = 0; a < 3; ++a) {
    const double its = coarse[a] / fine[a];
    if (!(its > 0.5 && its < 2.0 * kMostRatio) || std::abs(its - std::round(its)) > kRounded * its)
      throw Corrupt(
          "level " + std::to_string(level) + " has cells that do not divide those of the level before",
          "check the spacings");
    ratio[static_cast<std::size_t>(a)] = std::llround(its);
  }
  return ratio;
}

}  // namespace farfield::amr
