#include "plugins/amr/amr_hierarchy.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/index_walk.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::amr {
namespace {

constexpr std::int64_t kMostRefinement = std::int64_t{1} << 30;

std::string textOf(int level, std::size_t box) {
  return "box " + std::to_string(box) + " of level " + std::to_string(level);
}

/// Throws unless all boxes hold cells that can be numbered, and no two hold the same.
void checkBoxes(int level, const BoxTree& tree) {
  for (std::size_t n = 0; n < tree.boxes().size(); ++n) {
    const IndexBox& box = tree.boxes()[n];
    for (std::size_t a = 0; a < 3; ++a)
      if (box.size[a] < 1 || box.first[a] < -kFarthest || box.first[a] > kFarthest ||
          box.size[a] > kFarthest || box.first[a] + box.size[a] > kFarthest)
        throw Corrupt(textOf(level, n) + " is empty, or too far away", "check the file");
    for (const std::uint32_t other : tree.meeting(box, 2))
      if (other != n)
        throw Unsupported(textOf(level, n) + " overlaps box " + std::to_string(other) + " of the same level",
                          "write boxes that do not overlap");
  }
}

}  // namespace

IndexBox refined(const IndexBox& box, const Index3& ratio) {
  IndexBox fine;
  for (std::size_t a = 0; a < 3; ++a) {
    fine.first[a] = box.first[a] * ratio[a];
    fine.size[a] = box.size[a] * ratio[a];
  }
  return fine;
}

IndexBox coarsened(const IndexBox& box, const Index3& ratio) {
  IndexBox coarse;
  for (std::size_t a = 0; a < 3; ++a) {
    coarse.first[a] = floorDiv(box.first[a], ratio[a]);
    coarse.size[a] = floorDiv(box.first[a] + box.size[a] - 1, ratio[a]) + 1 - coarse.first[a];
  }
  return coarse;
}

Hierarchy::Hierarchy(std::vector<Level> levels, Vec3 origin, Vec3 spacing)
    : m_origin(origin), m_spacing(spacing) {
  if (levels.empty() || levels.size() > static_cast<std::size_t>(paging::kMostAmrLevels))
    throw Unsupported("has " + std::to_string(levels.size()) + " levels, and from 1 to " +
                      std::to_string(paging::kMostAmrLevels) + " are read");
  if (!isFinite(origin) || !isFinite(spacing) || !(spacing.x > 0 && spacing.y > 0 && spacing.z > 0))
    throw Corrupt("its cells have no place: an origin or a spacing is 0 or not a number", "check the file");
  Index3 refinement{1, 1, 1};
  for (std::size_t n = 0; n < levels.size(); ++n) {
    m_count += levels[n].boxes.size();
    if (m_count > kMostBoxes) throw Unsupported("has more than " + std::to_string(kMostBoxes) + " boxes");
    Placed placed{BoxTree(std::move(levels[n].boxes)), levels[n].ratio, refinement};
    checkBoxes(static_cast<int>(n), placed.boxes);
    m_levels.push_back(std::move(placed));
    if (n + 1 == levels.size()) break;
    for (std::size_t a = 0; a < 3; ++a) {
      if (levels[n].ratio[a] < 1 || levels[n].ratio[a] > kMostRatio)
        throw Corrupt("level " + std::to_string(n + 1) + " has a ratio of refinement that is none",
                      "check the file");
      refinement[a] *= levels[n].ratio[a];
      if (refinement[a] > kMostRefinement) throw Unsupported("its finest cells are too small");
    }
  }
  if (m_count == 0) throw Corrupt("has no boxes", "check that the copy is complete");
}

double Hierarchy::place(int level, int axis, std::int64_t half) const {
  const auto refinement =
      m_levels[static_cast<std::size_t>(level)].refinement[static_cast<std::size_t>(axis)];
  return m_origin[axis] + static_cast<double>(half) * m_spacing[axis] / (2 * static_cast<double>(refinement));
}

Vec3 Hierarchy::spacing(int level) const {
  Vec3 spacing;
  for (int a = 0; a < 3; ++a)
    spacing[a] =
        m_spacing[a] / static_cast<double>(
                           m_levels[static_cast<std::size_t>(level)].refinement[static_cast<std::size_t>(a)]);
  return spacing;
}

bool Hierarchy::mayCover(int level, const IndexBox& cells) const {
  return level + 1 < levels() && !boxes(level + 1).meeting(refined(cells, ratio(level)), 1).empty();
}

void Hierarchy::covered(int level, const IndexBox& cells, std::vector<std::uint8_t>& out) const {
  out.assign(static_cast<std::size_t>(product(cells.size)), 0);
  if (level + 1 >= levels()) return;
  const Index3& by = ratio(level);
  const std::int64_t whole = product(by);
  // fine cells that cover a cell; together they are at most `whole`
  std::vector<std::int32_t> count(out.size(), 0);
  boxes(level + 1).forEachIn(refined(cells, by), [&](std::uint32_t number) {
    const IndexBox& fine = boxes(level + 1).boxes()[number];
    const IndexBox over = intersection(coarsened(fine, by), cells);
    const auto along = [&](std::size_t a, std::int64_t cell) {
      return std::min(fine.first[a] + fine.size[a], (cell + 1) * by[a]) -
             std::max(fine.first[a], cell * by[a]);
    };
    forEachIndex(over, [&](const Index3& at) {
      count[numberIn(cells, at)] +=
          static_cast<std::int32_t>(along(0, at[0]) * along(1, at[1]) * along(2, at[2]));
    });
  });
  for (std::size_t n = 0; n < out.size(); ++n) out[n] = count[n] >= whole ? 1 : 0;
}

Hierarchy::Ends Hierarchy::endsIn(int level, const IndexBox& box) const {
  Ends ends;
  if (level + 1 >= levels()) return ends;
  const Index3& by = ratio(level);
  const IndexBox whole = refined(box, by);
  const BoxTree& finer = boxes(level + 1);
  finer.forEachIn(whole, [&](std::uint32_t number) {
    const IndexBox fine = intersection(finer.boxes()[number], whole);
    for (std::size_t a = 0; a < 3; ++a)
      for (const bool high : {false, true}) {
        const std::int64_t face = fine.first[a] + (high ? fine.size[a] : 0);
        if (face == whole.first[a] || face == whole.first[a] + whole.size[a]) continue;
        // where finer cells go on behind it, it is no end
        IndexBox behind = fine;
        behind.first[a] = high ? face : face - 1;
        behind.size[a] = 1;
        if (finer.holds(behind)) continue;
        const std::int64_t below = floorDiv(face, by[a]), above = floorDiv(face + by[a] - 1, by[a]);
        ends.withinCells = ends.withinCells || below != above;
        for (const std::int64_t plane : {below, above})
          if (plane > box.first[a] && plane < box.first[a] + box.size[a]) ends.planes[a].push_back(plane);
      }
  });
  for (std::vector<std::int64_t>& planes : ends.planes) {
    std::sort(planes.begin(), planes.end());
    planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
  }
  return ends;
}

}  // namespace farfield::amr
