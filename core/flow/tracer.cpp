#include "core/flow/tracer.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/flow/cell_steps.h"
#include "core/flow/space_steps.h"
#include "core/flow/traced_line.h"
#include "core/tasks/task_context.h"

namespace farfield::flow {
namespace {

constexpr int kStepsInSpace = 8;  // after a cell could not be crossed in its own coordinates

/// Takes steps until the line ends; or at least `least` steps, until the next one may go through a cell.
void follow(TracedLine& line, std::int64_t least) {
  CellSteps cells(line);
  SpaceSteps space(line, cells);
  const std::int64_t first = line.result.steps;
  while (!line.ended() && !line.limitReached()) {
    if (line.atExit) return line.end(Termination::OutOfDomain);
    if (line.adaptive() && line.searching == 0) {
      if (line.inSpace == 0 && line.result.steps - first >= least) return;
      if (line.inSpace == 0 && cells.cross()) continue;
      // the cells around are probably no better, so the next steps are in space without an attempt
      line.inSpace = line.inSpace > 0 ? line.inSpace - 1 : kStepsInSpace;
    }
    space.step();
  }
}

/// Calls `work`. Where a page does not come in time the line ends with its last vertex.
template <class Work>
void inTime(TracedLine& line, Work work) {
  try {
    work();
  } catch (const tasks::TimeIsUp&) {
    line.end(Termination::OutOfTime);
  }
  line.result.time = line.signedTime();
}

/// As LineState has it: a copy of `line`.
LineState stateOf(const TracedLine& line) {
  LineState state = line;
  state.location = line.field.location();
  return state;
}

constexpr std::int64_t kAllSteps = std::numeric_limits<std::int64_t>::max();

}  // namespace

void LineOptions::check() const {
  const auto require = [](bool good, const char* key, double value, const char* rule) {
    if (!good) throw Invalid(formatNumber(value) + " is not possible", rule).at(key);
  };
  require(tolerance >= 0 && std::isfinite(tolerance), "tolerance", tolerance, "give a length above 0");
  require(hermiteTolerance >= 0 && std::isfinite(hermiteTolerance), "hermiteTolerance", hermiteTolerance,
          "give a length above 0");
  require(stepCells > 0 && stepCells <= 100, "step", stepCells, "give a number of cells up to 100");
  require(maxTime > 0, "maxTime", maxTime, "give a time above 0");
  require(maxLength > 0, "maxLength", maxLength, "give a length above 0");
  require(maxSteps > 0, "maxSteps", static_cast<double>(maxSteps), "give a number above 0");
  require(minSpeed >= 0 && std::isfinite(minSpeed), "minSpeed", minSpeed, "give a speed of 0 or more");
  require(!unsteady || std::isfinite(maxTime), "maxTime", maxTime, "give a time at which to end");
  require(std::isfinite(startTime), "startTime", startTime, "give a time");
}

LineResult traceLine(LineField& field, Vec3 seed, int direction, const LineOptions& options,
                     tasks::TaskContext& context, LineSink& sink, fields::Location* seedLocation) {
  assert(direction == 1 || direction == -1);
  options.check();
  TracedLine line(field, direction, options, context, sink);
  inTime(line, [&] {
    if (line.start(seed, seedLocation)) follow(line, kAllSteps);
  });
  return line.result;
}

LineState beginLine(LineField& field, Vec3 seed, int direction, const LineOptions& options,
                    tasks::TaskContext& context, LineSink& sink, fields::Location* seedLocation) {
  assert(direction == 1 || direction == -1);
  options.check();
  TracedLine line(field, direction, options, context, sink);
  inTime(line, [&] { line.start(seed, seedLocation); });
  return stateOf(line);
}

void goOn(LineState& state, LineField& field, int direction, const LineOptions& options,
          tasks::TaskContext& context, LineSink& sink, std::int64_t least) {
  assert(state.location.valid() && !state.ended());
  TracedLine line(field, direction, options, context, sink);
  static_cast<LineState&>(line) = state;
  inTime(line, [&] {
    if (line.resume()) follow(line, least);
  });
  state = stateOf(line);
}

}  // namespace farfield::flow
