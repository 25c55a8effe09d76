#pragma once
// The path of a point through one cell, in the cell's coordinates, and the face where it leaves.

#include <optional>

#include "core/base/geometry.h"
#include "core/flow/integrator.h"

namespace farfield::flow {

/// Where a curve leaves its cell.
struct FaceExit {
  double s = 0;  ///< parameter of the curve
  int face = 0;
};

/// The continuous extension of a step of dopri5Step() as a polynomial of fourth degree in s = 0 … 1.
class CellCurve {
 public:
  /// `step` starts at `from`, with the velocity `rate` there, and takes the signed time h.
  CellCurve(Vec3 from, Vec3 rate, const Step& step, double h);

  Vec3 at(double s) const { return m_start + s * (m_linear + s * (m_square + s * (m_cube + s * m_fourth))); }
  /// The first point where it leaves the cell of shape `Shape` (core/fields/cells/cell_flow.h); nothing if it
  /// stays. It begins inside or on a face.
  template <class Shape>
  std::optional<FaceExit> firstExit() const {
    std::optional<FaceExit> exit;
    for (int n = 0; n < Shape::kMeasures; ++n) {
      const auto of = [n](Vec3 coefficient) { return Shape::measure(n, coefficient); };
      Measured{of(m_start), of(m_linear), of(m_square), of(m_cube), of(m_fourth)}.offerExits(n, exit);
    }
    return exit;
  }

 private:
  /// One measure of the cell along the curve.
  struct Measured {
    double start, linear, square, cube, fourth;
    double at(double s) const { return start + s * (linear + s * (square + s * (cube + s * fourth))); }
    double slope(double s) const { return linear + s * (2 * square + s * (3 * cube + s * 4 * fourth)); }
    double crossing(double end, double inside, double outside) const;
    void offerExits(int measure, std::optional<FaceExit>& exit) const;
  };

  Vec3 m_start, m_linear, m_square, m_cube, m_fourth;
};

}  // namespace farfield::flow
