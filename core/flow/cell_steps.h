#pragma once
// The steps of a line through cells, in the cells' own coordinates (core/fields/cells/cell_flow.h): from face to
// face, or as far as the error allows.

#include <optional>

#include "core/flow/cell_curve.h"
#include "core/flow/traced_line.h"

namespace farfield::flow {

/// Belongs to the line's task. Any call may stop it, and throws what the field and the sink throw.
class CellSteps {
 public:
  explicit CellSteps(TracedLine& line) : m_line(line) {}

  /// A step through the next cell, with one vertex or more. False, with no effect, if that is not possible.
  bool cross();
  /// After a step of size h that ends beyond the block: goes through cells to where the line leaves it.
  /// False, with no effect, if that is not possible.
  bool walkOut(double h);

 private:
  /// The path of a line through a cell.
  struct CellStep {
    fields::Location from;
    CellCurve curve;
    double time = 0;               ///< at its start
    double h = 0;                  ///< time of the curve for s = 0 ... 1
    std::optional<FaceExit> exit;  ///< without an exit it ends inside
  };
  struct CurvePoint {
    double s = 0;  ///< on the curve
    fields::Location location;
    Vec3 position;
  };
  // `Flow` is one of the shapes of fields::CellFlow.
  std::optional<fields::CellFlow> enterCell(fields::Location& location);
  template <class Flow>
  bool crossCell(const fields::Location& location, const Flow& flow);
  template <class Flow>
  std::optional<CellStep> stepInCell(const fields::Location& location, const Flow& flow);
  template <class Flow>
  CurvePoint pointOf(const CellStep& step, const Flow& flow, double s) const;
  template <class Flow>
  double piecesOf(const CellStep& step, const Flow& flow, const CurvePoint& end) const;
  bool takeEnd(const CellStep& step, CurvePoint end, double h);

  TracedLine& m_line;
};

}  // namespace farfield::flow
