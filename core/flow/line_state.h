#pragma once
// The state of a line between two of its steps, with which it can be continued later, here or by another engine
// (line_engine.h). beginLine() and goOn(), called until the line ends, make the same line as traceLine(), apart from
// rounding.

#include <cstdint>

#include "core/base/geometry.h"
#include "core/fields/paged/sampler.h"
#include "core/flow/line_field.h"
#include "core/flow/step_control.h"
#include "core/flow/tracer.h"

namespace farfield::flow {

/// Plain data. Lengths and times as in LineOptions.
struct LineState {
  LineResult result;
  Vec3 position, velocity;    ///< of the last vertex
  fields::Location location;  ///< of the last vertex; set by beginLine() and goOn() when they return
  double elapsed = 0;         ///< |time|
  double largestSpeed = 0;
  double wish = LineOptions::kUnlimited;      ///< the next step's size, as `control` wants it
  StepControl control;                        ///< of dopri5
  double cautious = LineOptions::kUnlimited;  ///< a limit to the size of some steps in space after a retreat
  bool atExit = false;                        ///< the last vertex is where the line leaves the domain
  int searching = 0;                          ///< steps to come that search for every stage
  int inSpace = 0;                            ///< steps to come in space, after a cell could not be crossed

  /// Number of the step that went into another block; such entries in quick succession, up to that.
  std::int64_t lastEntry = -kFewSteps - 1;
  int quickEntries = 0;

  bool ended() const { return result.termination != Termination::None; }

  /// An entry into a block within so few steps of the last one is *quick*. A line through a corner of blocks
  /// has two in succession; with more it goes back and forth between blocks, and then each stage of the next
  /// steps is searched for.
  static constexpr std::int64_t kFewSteps = 3;
};

/// Makes the first vertex of a line. Arguments and errors as for traceLine(). The line has ended if there is no such vertex, or if the
/// line ends with it.
LineState beginLine(LineField& field, Vec3 seed, int direction, const LineOptions& options,
                    tasks::TaskContext& context, LineSink& sink, fields::Location* seedLocation);

/// Takes at least `least` steps, until dopri5 may go through the line's cell in the cell's own coordinates; or until the line ends.
/// `field` is fresh, `state.location` is valid and the line has not ended. The position is recomputed from that location, so that
/// another engine's rounding does not spread.
void goOn(LineState& state, LineField& field, int direction, const LineOptions& options,
          tasks::TaskContext& context, LineSink& sink, std::int64_t least);

}  // namespace farfield::flow
