#include "core/flow/cell_curve.h"

#include <algorithm>
#include <cmath>

namespace farfield::flow {
namespace {

constexpr int kMostIterations = 60;  // after as many halvings the step is used up
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

/// The parameter at which it is `end`, between one where it is inside and one where it is outside.
double CellCurve::Measured::crossing(double end, double inside, double outside) const {
  // Newton's method from the linear crossing, kept between the two
  const double low = at(inside) - end, high = at(outside) - end;
  const double sign = high > 0 ? 1 : -1;  // sign of values outside
  const double straight = low / (low - high);
  double s = inside + (outside - inside) * (straight > 0 && straight < 1 ? straight : 0.5);
  for (int n = 0; n < kMostIterations; ++n) {
    const double beyond = sign * (at(s) - end);
    if (std::abs(beyond) <= kNear) break;
    (beyond > 0 ? outside : inside) = s;
    const double next = s - beyond / (sign * slope(s));
    s = next > std::min(inside, outside) && next < std::max(inside, outside) ? next
                                                                             : 0.5 * (inside + outside);
  }
  return s;
}

/// Adds the exits through the faces where the measure is 0 and 1.
void CellCurve::Measured::offerExits(int measure, std::optional<FaceExit>& exit) const {
  const double lastRate = slope(1), last = at(1);
  // The approximate parameter of its extremum. There it may be outside although its end is not, or inside
  // although it begins on the face.
  const double turn = (linear > 0) != (lastRate > 0) ? linear / (linear - lastRate) : 0;
  const double turned = turn > 0 ? at(turn) : 0;
  for (const bool up : {false, true}) {
    const double end = up ? 1 : 0, sign = up ? 1 : -1;
    double s;
    if (turn > 0 && sign * linear > 0 && sign * (turned - end) > 0)
      s = crossing(end, 0, turn);
    else if (sign * (last - end) > 0)
      s = crossing(end, turn > 0 && sign * (turned - end) < 0 ? turn : 0, 1);
    else
      continue;
    if (!exit || s < exit->s) exit = FaceExit{s, 2 * measure + (up ? 1 : 0)};
  }
}

}  // namespace farfield::flow
