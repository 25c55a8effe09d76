#pragma once
// The way of a point through one cell, in the cell's coordinates 0 … 1, and the face at which it goes out.

#include <optional>

#include "core/base/geometry.h"
#include "core/flow/integrator.h"

namespace farfield::flow {

/// Where a curve goes out of its cell.
struct FaceExit {
  double s = 0;     ///< parameter of the curve
  int axis = 0;     ///< the face is across this axis …
  bool up = false;  ///< … at its end rather than its beginning
};

/// The continuous extension of a step of dopri5Step() as a polynomial of fourth degree in s = 0 … 1.
class CellCurve {
 public:
  /// `step` went from `from`, with the velocity `rate` there, over the signed time h.
  CellCurve(Vec3 from, Vec3 rate, const Step& step, double h);

  Vec3 at(double s) const { return m_start + s * (m_linear + s * (m_square + s * (m_cube + s * m_fourth))); }
  /// The first place at which it goes from inside [0, 1]³ to outside; nothing where it stays. It begins
  /// inside or on a face.
  std::optional<FaceExit> firstExit() const;

 private:
  double coordinate(int axis, double s) const {
    return m_start[axis] +
           s * (m_linear[axis] + s * (m_square[axis] + s * (m_cube[axis] + s * m_fourth[axis])));
  }
  double slope(int axis, double s) const {
    return m_linear[axis] + s * (2 * m_square[axis] + s * (3 * m_cube[axis] + s * 4 * m_fourth[axis]));
  }
  double crossing(int axis, double face, double inside, double outside) const;

  Vec3 m_start, m_linear, m_square, m_cube, m_fourth;
};

}  // namespace farfield::flow
