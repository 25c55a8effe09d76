#include "core/flow/traced_line.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/tasks/task_context.h"

namespace farfield::flow {
namespace {

constexpr double kStagnationRatio = 1e-9;
constexpr double kLeastPace = 1e-3;     // of the largest speed
constexpr double kLeastSpeed = 1e-150;  // its square is still a normal number
constexpr double kExitFraction = 1e-7;  // of the diagonal

}  // namespace

LineScales::LineScales(const Bounds& bounds, const LineOptions& options)
    : tolerance(options.tolerance),
      hermiteTolerance(options.hermiteTolerance),
      diagonal(bounds.diagonal()),
      exitLength(kExitFraction * diagonal),
      smallestLength(4 * std::numeric_limits<double>::epsilon() *
                     std::max(length(bounds.min), length(bounds.max))) {
  if (options.method != Method::Dopri5) tolerance = hermiteTolerance = LineOptions::kUnlimited;
  if (tolerance == 0) tolerance = 1e-6 * diagonal;
  if (hermiteTolerance == 0) hermiteTolerance = std::max(1e-5 * diagonal, tolerance);
}

TracedLine::TracedLine(LineField& lineField, int sign, const LineOptions& lineOptions,
                       tasks::TaskContext& taskContext, LineSink& lineSink)
    : field(lineField), direction(sign), options(lineOptions), context(taskContext), sink(lineSink) {
  const LineScales scales(field.bounds(), options);
  options.tolerance = scales.tolerance;
  options.hermiteTolerance = scales.hermiteTolerance;
  diagonal = scales.diagonal;
  exitLength = scales.exitLength;
  smallestLength = scales.smallestLength;
}

bool TracedLine::start(Vec3 seed, fields::Location* seedLocation) {
  position = seed;
  const Reach reach = seedLocation && seedLocation->valid()
                          ? field.velocityIn(*seedLocation, options.startTime, velocity)
                          : field.velocityAt(seed, options.startTime, velocity);
  if (reach == Reach::Outside) {
    end(Termination::SeedOutside);
    return false;
  }
  field.accept(direction > 0 ? 1 : -1);
  result.block = field.location().block;
  if (seedLocation) *seedLocation = field.location();
  sink.vertex(seed, 0, field.values());
  if (reach == Reach::NotFinite) end(Termination::NotFinite);
  return !ended();
}

bool TracedLine::resume() {
  if (field.velocityIn(location, timeAfter(0), velocity) != Reach::Inside) {
    end(Termination::NotFinite);
    return false;
  }
  field.accept(direction > 0 ? 1 : -1);
  if (const std::optional<fields::CellFlow> flow = field.flowIn(location, timeAfter(0)))
    std::visit([&](const auto& shape) { position = shape.position(location.xi, timeAfter(0)); }, *flow);
  return true;
}

bool TracedLine::limitReached() {
  if (context.stopRequested()) throw Cancelled();
  speed = length(velocity);
  largestSpeed = std::max(largestSpeed, speed);
  pace =
      options.unsteady ? std::max({speed, kLeastPace * largestSpeed, exitLength / options.maxTime}) : speed;
  if (result.length >= options.maxLength) {
    end(Termination::MaxLength);
  } else if (elapsed >= options.maxTime) {
    end(Termination::MaxTime);
  } else if (result.steps >= options.maxSteps) {
    end(Termination::MaxSteps);
  } else if (!options.unsteady &&
             speed <= std::max({kStagnationRatio * largestSpeed, options.minSpeed, kLeastSpeed})) {
    end(Termination::Stagnation);
  } else if (rest() * pace <= smallestLength) {
    // what the sum of steps misses by rounding: time may end where a cell does, as in an even flow from node to node
    end(Termination::MaxTime);
  } else if (context.outOfTime()) {
    end(Termination::OutOfTime);
  }
  return ended();
}

void TracedLine::addVertex(Vec3 newPosition, Vec3 newVelocity, double h) {
  result.length += arcLength(newPosition, newVelocity, h);
  field.accept(direction > 0 ? 1 : -1);
  position = newPosition;
  velocity = newVelocity;
  // the last step's size was computed as this difference; adding it may miss maxTime by rounding
  elapsed = h == rest() ? options.maxTime : elapsed + h;
  ++result.steps;
  sink.vertex(position, signedTime(), field.values());
}

void TracedLine::entersBlock() {
  quickEntries = result.steps - lastEntry <= kFewSteps ? quickEntries + 1 : 0;
  if (quickEntries > kMostQuickEntries) searching = kSearchingSteps;
  lastEntry = result.steps;
}

/// Length of the Hermite cubic of a step to `newPosition`, by Simpson's rule on its speed (at half time the
/// derivative of the cubic is 3/2 of the chord's minus 1/4 of the sum of the end velocities).
double TracedLine::arcLength(Vec3 newPosition, Vec3 newVelocity, double h) const {
  const Vec3 chord = (direction / h) * (newPosition - position);
  const Vec3 middle = 1.5 * chord - 0.25 * (velocity + newVelocity);
  return h / 6 * (speed + 4 * length(middle) + length(newVelocity));
}

}  // namespace farfield::flow
