#pragma once
// A line as far as it has been traced, and the limits that end it. What takes the steps (CellSteps,
// SpaceSteps) appends the vertices.

#include <cstdint>

#include "core/base/geometry.h"
#include "core/flow/line_field.h"
#include "core/flow/step_control.h"
#include "core/flow/tracer.h"

namespace farfield::flow {

/// Belongs to one task. Lengths and times as in LineOptions.
struct TracedLine {
  static constexpr double kErrorFraction = 1e-3;  ///< largest error of a step of dopri5, of its length

  /// All arguments outlive the line. Tolerances of 0 in `options` are replaced by what they stand for.
  TracedLine(LineField& field, int direction, const LineOptions& options, tasks::TaskContext& context,
             LineSink& sink);

  /// The first vertex. False where there is none, or where the line ends with it.
  bool start(Vec3 seed, fields::Location* seedLocation);
  /// Whether the last vertex is the line's end, with the reason; the speed there. Throws Cancelled.
  bool limitReached();
  /// Where the field has last been asked, the time h after the last vertex.
  void addVertex(Vec3 newPosition, Vec3 newVelocity, double h);
  /// The step to come is the first in another block.
  void entersBlock();
  void end(Termination reason) { result.termination = reason; }

  bool ended() const { return result.termination != Termination::None; }
  bool adaptive() const { return options.method == Method::Dopri5; }
  double signedTime() const { return direction * elapsed; }
  /// The time for which the field is asked, `ahead` (signed) of the last vertex.
  double timeAfter(double ahead) const { return options.startTime + signedTime() + ahead; }
  /// What is left of maxTime.
  double rest() const { return options.maxTime - elapsed; }

  LineField& field;
  const double direction;
  LineOptions options;
  tasks::TaskContext& context;
  LineSink& sink;
  double diagonal;        ///< of the field's bounds
  double exitLength;      ///< a point so close to where a line leaves a block counts as there
  double smallestLength;  ///< a shorter step is lost in the rounding of the coordinates

  LineResult result;
  Vec3 position, velocity;  ///< of the last vertex
  double speed = 0, largestSpeed = 0;
  double elapsed = 0;                     ///< |time|
  bool atExit = false;                    ///< the last vertex is where the line leaves the domain
  int searching = 0;                      ///< steps to come that search for every stage
  StepControl control;                    ///< of dopri5
  double wish = LineOptions::kUnlimited;  ///< the next step's size, as `control` wants it

  /// Number of the step that went into another block.
  std::int64_t lastEntry = -kFewSteps - 1;

 private:
  /// An entry into a block so few steps after the last one is *quick*. A line through a corner of blocks has two
  /// in succession. Where it has more it goes back and forth between blocks; then each stage of the next steps
  /// is searched for instead.
  static constexpr std::int64_t kFewSteps = 3;
  static constexpr int kMostQuickEntries = 2, kSearchingSteps = 30;

  int m_quickEntries = 0;  ///< in succession, up to the last entry

  double arcLength(Vec3 newPosition, Vec3 newVelocity, double h) const;
};

}  // namespace farfield::flow
