#pragma once
// A line traced so far, and the limits that end it. CellSteps and SpaceSteps append the vertices.

#include <cstdint>

#include "core/base/geometry.h"
#include "core/flow/line_field.h"
#include "core/flow/step_control.h"
#include "core/flow/tracer.h"

namespace farfield::flow {

/// Belongs to one task. Lengths and times as in LineOptions.
struct TracedLine {
  static constexpr double kErrorFraction = 1e-3;  ///< largest error of a step of dopri5, of its length

  /// All arguments outlive the line. Tolerances of 0 in `options` are replaced by their defaults.
  TracedLine(LineField& field, int direction, const LineOptions& options, tasks::TaskContext& context,
             LineSink& sink);

  /// The first vertex. False if there is none, or if the line ends with it.
  bool start(Vec3 seed, fields::Location* seedLocation);
  /// Whether the last vertex is the line's end, with the reason; the speed there. Throws Cancelled.
  bool limitReached();
  /// Adds a vertex where the field was last evaluated, the time h after the last vertex.
  void addVertex(Vec3 newPosition, Vec3 newVelocity, double h);
  /// The next step is the first in another block.
  void entersBlock();
  void end(Termination reason) { result.termination = reason; }

  bool ended() const { return result.termination != Termination::None; }
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

  LineResult result;
  Vec3 position, velocity;  ///< of the last vertex
  double speed = 0, largestSpeed = 0;
  /// The speed by which steps are chosen: the actual one, but in a field that changes in time never nearly
  /// zero.
  double pace = 0;
  double elapsed = 0;                     ///< |time|
  bool atExit = false;                    ///< the last vertex is where the line leaves the domain
  int searching = 0;                      ///< number of coming steps whose stages are all searched for
  StepControl control;                    ///< of dopri5
  double wish = LineOptions::kUnlimited;  ///< the next step's size, as chosen by `control`

  /// Number of the step that entered another block.
  std::int64_t lastEntry = -kFewSteps - 1;

 private:
  /// An entry into a block within so few steps of the last one is *quick*. A line through a corner of blocks
  /// has two in succession; with more it goes back and forth between blocks, and then each stage of the next
  /// steps is searched for.
  static constexpr std::int64_t kFewSteps = 3;
  static constexpr int kMostQuickEntries = 2, kSearchingSteps = 30;

  int m_quickEntries = 0;  ///< in succession, up to the last entry

  double arcLength(Vec3 newPosition, Vec3 newVelocity, double h) const;
};

}  // namespace farfield::flow
