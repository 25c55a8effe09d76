#include "core/fields/paged/page_path.h"

#include <algorithm>

namespace farfield::fields {
namespace {
/// A tighter turn is not followed: it is noise of a single step, or a vortex inside the page.
constexpr double kMostCurvature = 0.5;

Vec3 normalized(Vec3 v) {
  const double size = length(v);
  return size > 0 ? (1 / size) * v : Vec3{};
}
}  // namespace

IndexArc arcThrough(Vec3 previous, Vec3 position, Vec3 direction) {
  IndexArc arc{position, normalized(direction), {}};
  const Vec3 chord = position - previous;
  const double distance = length(chord);
  if (!(distance > 1e-6)) return arc;
  // the chord has the tangent of the middle of the arc between the two points
  arc.curvature = (2 / distance) * (arc.tangent - (1 / distance) * chord);
  const double turn = length(arc.curvature);
  if (!(turn <= kMostCurvature)) arc.curvature = {};
  return arc;
}

PagePath followPages(IndexArc arc, const Index3& extent, const Index3& cellsOfBlock, int pages) {
  PagePath path;
  if (!isFinite(arc.position) || !isFinite(arc.tangent) || !(length(arc.tangent) > 0)) return path;
  const auto cellAt = [&](Vec3 point, Index3& cell) {
    for (int a = 0; a < 3; ++a) {
      if (!(point[a] >= 0 && point[a] < static_cast<double>(cellsOfBlock[a]))) return false;
      cell[a] = static_cast<std::int64_t>(point[a]);
    }
    return true;
  };
  const auto pageOf = [&](const Index3& cell) {
    return Index3{cell[0] / extent[0], cell[1] / extent[1], cell[2] / extent[2]};
  };
  Index3 cell;
  if (!cellAt(arc.position, cell)) return path;
  Index3 page = pageOf(cell);
  // one cell further on the arc: rotates the tangent and the direction to the centre
  const Vec3 curvature = arc.curvature - dot(arc.curvature, arc.tangent) * arc.tangent;
  const double turn = length(curvature);
  Vec3 inward = turn > 1e-9 ? normalized(curvature) : Vec3{};
  const double cosine = std::cos(turn), sine = std::sin(turn);
  const double along = turn > 1e-9 ? sine / turn : 1, across = turn > 1e-9 ? (1 - cosine) / turn : 0;
  const std::int64_t longest = 4 * std::max({extent[0], extent[1], extent[2]});
  pages = std::min(pages, kMostPagesAhead);
  for (std::int64_t step = 0; path.count < pages && step < longest * pages; ++step) {
    arc.position = arc.position + along * arc.tangent + across * inward;
    const Vec3 tangent = cosine * arc.tangent + sine * inward;
    inward = cosine * inward - sine * arc.tangent;
    arc.tangent = tangent;
    if (!cellAt(arc.position, cell)) break;
    const Index3 now = pageOf(cell);
    if (now == page) continue;
    page = now;
    path.cells[static_cast<std::size_t>(path.count++)] = cell;
  }
  return path;
}

}  // namespace farfield::fields
