#pragma once
// How far the flow turns about a line on its way: what stands across the line and goes along with the flow turns about it by half of the
// vorticity along the line, as ribbons do that show this (S. Ueng, C. Sikorski, K. Ma: Efficient Streamline, Streamribbon, and Streamtube
// Constructions on Unstructured Grids, 1996). The vorticity is that of the vector that the line follows, whichever it is, as it is
// interpolated in the cell: nothing is read for it but the cells of the line.

#include <span>
#include <vector>

#include "core/fields/cells/cell_flow.h"
#include "core/flow/line_field.h"
#include "core/flow/tracer.h"

namespace farfield::flow {

/// Half of curl u . u / |u| at `xi` of the cell, in radians per time unit, positive by the right hand along u. 0 where nothing moves, or
/// the cell's map has no inverse. Pure.
double turningRate(const fields::CellFlow& cell, Vec3 xi, double time);

/// Adds a value to each vertex of a line that is traced in `field`: how far the flow has turned about it since the seed, in radians, which
/// goes on counting beyond a whole turn. Cells without coordinates of their own add nothing. Belongs to the task of the line; `field` and
/// `out` outlive it.
class TurningSink final : public LineSink {
 public:
  /// `values` of the field go to a vertex.
  TurningSink(LineField& field, std::size_t values, LineSink& out)
      : m_field(field), m_out(out), m_values(values + 1) {}
  /// May stop the task, and throws what the field and the sink throw.
  void vertex(Vec3 point, double time, std::span<const double> values) override;

 private:
  LineField& m_field;
  LineSink& m_out;
  std::vector<double> m_values;
  bool m_isBegun = false;
  double m_turned = 0, m_rate = 0, m_time = 0;  ///< at the last vertex
};

}  // namespace farfield::flow
