#include "core/flow/cell_curve.h"

#include <algorithm>
#include <cmath>

namespace farfield::flow {
namespace {

constexpr int kMostIterations = 60;  // as many halvings leave nothing of the step
constexpr double kNear = 1e-10;      // of a cell: much less than the curve's own error

}  // namespace

CellCurve::CellCurve(Vec3 from, Vec3 rate, const Step& step, double h) {
  const Vec3 way = step.position - from, first = h * rate, last = h * step.velocity;
  m_start = from;
  m_linear = first;
  m_square = 3 * way - 2 * first - last + step.bulge;
  m_cube = first + last - 2 * way - 2 * step.bulge;
  m_fourth = step.bulge;
}

/// Where the coordinate is `face`, between a parameter where it is inside and one where it is outside.
double CellCurve::crossing(int axis, double face, double inside, double outside) const {
  // Newton's method from where a straight line would cross, kept between the two.
  const double low = coordinate(axis, inside) - face, high = coordinate(axis, outside) - face;
  const double sign = high > 0 ? 1 : -1;  // of what is outside
  const double straight = low / (low - high);
  double s = inside + (outside - inside) * (straight > 0 && straight < 1 ? straight : 0.5);
  for (int n = 0; n < kMostIterations; ++n) {
    const double beyond = sign * (coordinate(axis, s) - face);
    if (std::abs(beyond) <= kNear) break;
    (beyond > 0 ? outside : inside) = s;
    const double next = s - beyond / (sign * slope(axis, s));
    s = next > std::min(inside, outside) && next < std::max(inside, outside) ? next
                                                                             : 0.5 * (inside + outside);
  }
  return s;
}

std::optional<FaceExit> CellCurve::firstExit() const {
  std::optional<FaceExit> exit;
  const auto offer = [&](int axis, bool up, double s) {
    if (!exit || s < exit->s) exit = FaceExit{s, axis, up};
  };
  for (int axis = 0; axis < 3; ++axis) {
    const double rate = m_linear[axis], lastRate = slope(axis, 1), end = coordinate(axis, 1);
    // Where it turns round on the way, about: there it may be outside although its end is not, or inside
    // although it begins on the face.
    const double turn = (rate > 0) != (lastRate > 0) ? rate / (rate - lastRate) : 0;
    const double turned = turn > 0 ? coordinate(axis, turn) : 0;
    for (const bool up : {false, true}) {
      const double face = up ? 1 : 0, sign = up ? 1 : -1;
      if (turn > 0 && sign * rate > 0 && sign * (turned - face) > 0)
        offer(axis, up, crossing(axis, face, 0, turn));
      else if (sign * (end - face) > 0)
        offer(axis, up, crossing(axis, face, turn > 0 && sign * (turned - face) < 0 ? turn : 0, 1));
    }
  }
  return exit;
}

}  // namespace farfield::flow
