#pragma once
// A small adaptive grid of three levels, whose boxes end in all the ways that are hard: an L, a strip one coarse cell wide, a
// box of the second level around a box of the third. Its values are known everywhere.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::test {

struct AmrSample {
  /// Of cells, per level, ratio 2.
  std::vector<std::vector<IndexBox>> levels{
      {{{0, 0, 0}, {8, 8, 8}}, {{8, 0, 0}, {4, 8, 8}}},
      {{{4, 4, 4}, {8, 4, 8}}, {{4, 8, 4}, {8, 4, 8}}, {{12, 4, 4}, {2, 4, 4}}, {{20, 12, 12}, {4, 4, 4}}},
      {{{12, 12, 12}, {6, 8, 8}}}};
  Vec3 origin{-1, 2, 0.5};
  Vec3 spacing{0.5, 0.25, 1};

  Vec3 spacingOf(std::size_t level) const { return (1.0 / static_cast<double>(1 << level)) * spacing; }
  Vec3 end() const { return {origin.x + 12 * spacing.x, origin.y + 8 * spacing.y, origin.z + 8 * spacing.z}; }
  double volume() const { return 12 * spacing.x * 8 * spacing.y * 8 * spacing.z; }
  Vec3 centre(std::size_t level, const Index3& cell) const {
    const Vec3 h = spacingOf(level);
    Vec3 at;
    for (int a = 0; a < 3; ++a)
      at[a] = origin[a] + (static_cast<double>(cell[static_cast<std::size_t>(a)]) + 0.5) * h[a];
    return at;
  }
  /// The finest level with a cell that holds the point, and the box there.
  std::array<std::size_t, 2> holder(Vec3 point) const {
    for (std::size_t level = levels.size(); level-- > 0;) {
      const Vec3 h = spacingOf(level);
      Index3 cell;
      for (int a = 0; a < 3; ++a)
        cell[static_cast<std::size_t>(a)] =
            static_cast<std::int64_t>(std::floor((point[a] - origin[a]) / h[a]));
      for (std::size_t box = 0; box < levels[level].size(); ++box)
        if (levels[level][box].contains(cell)) return {level, box};
    }
    return {levels.size(), 0};
  }
  static double linear(Vec3 at) { return 1 + 2 * at.x - 3 * at.y + 0.5 * at.z; }
};

}  // namespace farfield::test
