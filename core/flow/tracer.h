#pragma once
// Follows one line from its seed to its end. Vertices are exactly the accepted steps of the integrator; they
// go to a sink as they are made, so that the length of a line takes no memory here.
//
// Steps. The velocity has kinks at the faces of cells, and a step across one is less accurate than its
// method. So dopri5 takes its steps inside cells, in their own coordinates (core/fields/cells/cell_flow.h): from
// the face where the line enters to the face where it leaves, or as far as the local error is within the
// tolerance (and within a thousandth of the step, without which lines near a stagnation point would circle it
// at the distance of the tolerance). No stage has to be located. The point on the face is that of the
// method's continuous extension. If that is not within `hermiteTolerance` of the cubic Hermite curve through
// the vertices, with the velocities there, vertices are added on the way. If a cell's map has no inverse, or
// cells have no coordinates of their own, dopri5 takes steps of at most a cell in space, with the same limits
// on errors. rk4 takes steps of `stepCells` cells in space; one in which the velocity turns by more than a
// right angle is halved (for the same reason as above).
//
// Ends. maxTime is met exactly, by shortening the last step. A line ends with the first vertex at which its
// length has reached maxLength; the step that passes it is not cut, so that a line is never too short to be
// compared with one from another integrator. The length of a step is that of its Hermite cubic, by Simpson's
// rule.
//
// Blocks. No step goes from one block into another; if one of rk4 would, the line goes to the end of the
// block through cells. A step inside a cell ends on the face at the end of the block; one search, 2e-7 of the
// bounding box's diagonal behind it, tells whether the line ends there or goes on in another block; then the
// vertex is placed there. For steps in space, stages close beyond the end of the block (or in blanked cells)
// use the field continued from the last cell, so that nothing is searched for. If the step's end lies beyond,
// its curve shows where the line leaves, and steps of that size end within 1e-7 of the bounding box's
// diagonal before the point. Then one search, just behind it, tells whether the line ends there or goes on in
// another block, where the next step begins. A line that goes back and forth between blocks searches for
// every stage for some steps. If a stage fails and nothing can be continued there, the exit is looked for
// along the parabola with which the line starts, and a step just short of it is taken; this is repeated until
// a step of 1e-7 of the diagonal would still leave. A line of which only a stage touches the boundary goes
// on. A velocity that is not finite is treated like a boundary, with its own reason. Stagnation: the speed is
// not above 1e-9 of the largest on this line so far (nor above minSpeed). It is relative to the line because
// data sets have no common unit of speed; much lower, the rounding of the location, 1e-12 of a cell, is no
// longer small against the step. In a field that changes in time a point at rest may move later: it waits, in
// steps that the error allows.
//
// The result depends on the arguments alone (except with a time budget): equal inputs give equal bits.

#include <cstdint>
#include <limits>
#include <span>

#include "core/base/geometry.h"
#include "core/flow/line_field.h"
#include "core/flow/termination.h"

namespace farfield::tasks {
class TaskContext;
}

namespace farfield::flow {

enum class Method { Dopri5, Rk4 };

/// Lengths and times are in the data's own units; times and lengths are counted from the seed, without sign.
struct LineOptions {
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  Method method = Method::Dopri5;
  double tolerance = 0;         ///< largest local error of a step; 0: 1e-6 of the diagonal
  double hermiteTolerance = 0;  ///< see above; 0: 1e-5 of the diagonal, or the tolerance if more
  double stepCells = 0.1;       ///< of rk4
  double maxTime = kUnlimited;
  double maxLength = kUnlimited;   ///< the last step passes it
  std::int64_t maxSteps = 100000;  ///< accepted ones
  double minSpeed = 0;             ///< stagnation at this speed or below
  double startTime = 0;            ///< time of the field at the seed
  /// The field changes in time: a point at rest waits. maxTime must be finite.
  bool unsteady = false;

  /// Throws Invalid at the option's key in a session ("maxTime").
  void check() const;
};

/// Takes the vertices of a line in order.
class LineSink {
 public:
  virtual ~LineSink() = default;
  /// `time` is 0 at the seed and negative upstream; `values` are the field's, the velocity's three first,
  /// valid during the call. May throw Io, OverBudget, which ends the trace.
  virtual void vertex(Vec3 point, double time, std::span<const double> values) = 0;
};

struct LineResult {
  Termination termination = Termination::None;
  std::int32_t block = -1;    ///< in which the seed lies; -1 if none
  std::int64_t steps = 0;     ///< accepted; one less than vertices
  std::int64_t rejected = 0;  ///< attempts that were not accepted, for any reason
  double time = 0;            ///< signed, of the last vertex
  double length = 0;          ///< arc length
};

/// Traces from `seed` along the velocity (`direction` +1) or against it (-1). `field` is new: no vertex has
/// been accepted. If `*seedLocation` is valid it is the seed's location, which saves the search; otherwise it
/// is set; null: unknown and not wanted. Called by the task of `context`. Throws Cancelled if the task's
/// group is stopped, what the field and the sink throw, Invalid from check().
LineResult traceLine(LineField& field, Vec3 seed, int direction, const LineOptions& options,
                     tasks::TaskContext& context, LineSink& sink, fields::Location* seedLocation = nullptr);

}  // namespace farfield::flow
