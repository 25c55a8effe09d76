#pragma once
// When a curve leaves the cell that it is in. Inside a cell the velocity is smooth, at its faces it has
// kinks; a step that ends at a face is as accurate as its method, one across a face is not. All of this is
// for hexahedra with cell coordinates 0 … 1.

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>

#include "core/base/geometry.h"
#include "core/fields/sampler.h"

namespace farfield::flow {

inline bool sameCell(const fields::Location& a, const fields::Location& b) {
  return a.block == b.block && a.cell == b.cell;
}

/// A point of the curve: its parameter (a time from the curve's start), and where that is in the cell.
struct PointInCell {
  double at = 0;
  Vec3 xi;
};

/// Where straight continuation of the cell coordinates through a and b (a before b) reaches a face; infinite
/// where never.
inline double faceAhead(const PointInCell& a, const PointInCell& b) {
  double nearest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double rate = (b.xi[axis] - a.xi[axis]) / (b.at - a.at);
    const double face = rate > 0 ? 1 : 0;
    if (rate != 0) nearest = std::min(nearest, std::max(0.0, (face - b.xi[axis]) / rate));
  }
  return b.at + nearest;
}

/// The parameter at which the curve leaves `cell`, looked for beyond the points `a` and `b` in it by
/// extrapolation and up to five look-ups; nothing when that is beyond `limit`. `locate(at, location)` finds
/// the place of the curve's point, and is false where no cell holds it.
template <std::predicate<double, fields::Location&> Locate>
std::optional<double> cellExit(const fields::Location& cell, PointInCell a, PointInCell b, double limit,
                               Locate locate) {
  constexpr int kLookUps = 5;
  constexpr double kNear = 1e-4;    // of the way: from so near, a straight continuation is good enough
  constexpr double kBackOff = 0.9;  // of the way that is left: look-ups stay short of the face
  double outside = std::numeric_limits<double>::infinity();
  for (int n = 0; n < kLookUps; ++n) {
    const double exit = std::min(faceAhead(a, b), outside);
    if (!(exit < limit)) return std::nullopt;
    if (exit - b.at <= kNear * exit) return exit;
    const double at = b.at + (exit == outside ? 0.5 : kBackOff) * (exit - b.at);
    fields::Location found;
    if (locate(at, found) && sameCell(found, cell)) {
      a = b;
      b = {at, found.xi};
    } else {
      outside = at;
    }
  }
  return std::min(faceAhead(a, b), outside);
}

}  // namespace farfield::flow
