#pragma once
// A line traced so far, and the limits that end it. CellSteps and SpaceSteps append the vertices.

#include <cstdint>

#include "core/base/geometry.h"
#include "core/flow/line_field.h"
#include "core/flow/line_state.h"
#include "core/flow/tracer.h"

namespace farfield::flow {

/// Lengths by which steps are judged, of all lines in a field.
struct LineScales {
  LineScales(const Bounds& bounds, const LineOptions& options);
  double tolerance, hermiteTolerance;  ///< as in LineOptions, but not 0
  double diagonal;                     ///< of the bounds
  double exitLength;                   ///< a point this close to where a line leaves a block counts as there
  double smallestLength;               ///< a shorter step is lost in the rounding of the coordinates
};

/// Belongs to one task. Lengths and times as in LineOptions.
struct TracedLine : LineState {
  static constexpr double kErrorFraction = 1e-3;  ///< largest error of a step of dopri5, of its length

  /// All arguments outlive the line. Tolerances of 0 in `options` are replaced by their defaults.
  TracedLine(LineField& field, int direction, const LineOptions& options, tasks::TaskContext& context,
             LineSink& sink);

  /// The first vertex. False if there is none, or if the line ends with it.
  bool start(Vec3 seed, fields::Location* seedLocation);
  /// Goes on from `location`, which the state has. False where the line ends there.
  bool resume();
  /// Whether the last vertex is the line's end, with the reason; the speed there. Throws Cancelled.
  bool limitReached();
  /// Adds a vertex where the field was last evaluated, the time h after the last vertex.
  void addVertex(Vec3 newPosition, Vec3 newVelocity, double h);
  /// The next step is the first in another block.
  void entersBlock();
  void end(Termination reason) { result.termination = reason; }

  bool adaptive() const { return options.method == Method::Dopri5; }
  double signedTime() const { return direction * elapsed; }
  /// The time for which the field is evaluated, `ahead` (signed) of the last vertex.
  double timeAfter(double ahead) const { return options.startTime + signedTime() + ahead; }
  /// The rest of maxTime.
  double rest() const { return options.maxTime - elapsed; }
  /// How long after the end of a block the search looks behind it, at most: a block that moves may leave a
  /// point at rest.
  double mostBehind() const { return options.unsteady ? 1e-6 * options.maxTime : LineOptions::kUnlimited; }

  LineField& field;
  const double direction;
  LineOptions options;
  tasks::TaskContext& context;
  LineSink& sink;
  double diagonal;        ///< of the field's bounds
  double exitLength;      ///< a point this close to where a line leaves a block counts as there
  double smallestLength;  ///< a shorter step is lost in the rounding of the coordinates

  double speed = 0;  ///< at the last vertex
  /// The speed by which steps are chosen: the actual one, but in a field that changes in time never nearly
  /// zero.
  double pace = 0;

 private:
  static constexpr int kMostQuickEntries = 2, kSearchingSteps = 30;

  double arcLength(Vec3 newPosition, Vec3 newVelocity, double h) const;
};

}  // namespace farfield::flow
