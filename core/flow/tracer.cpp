#include "core/flow/tracer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/flow/block_exit.h"
#include "core/flow/cell_exit.h"
#include "core/flow/integrator.h"
#include "core/flow/step_control.h"
#include "core/tasks/task_context.h"

namespace farfield::flow {
namespace {

constexpr double kStagnationRatio = 1e-9;
constexpr double kLeastSpeed = 1e-150;  // its square is still a normal number
constexpr double kExitFraction = 1e-7;  // of the diagonal
constexpr double kFirstStepCells = 0.1;
constexpr double kErrorFraction = 1e-3;  // largest error of a step, of its length
constexpr double kMostGrowth = 10;
// Ending on faces: how many steps try to after one was rejected across a face; from where on a vertex counts
// as lying on a face, and how far ahead the cell to come is looked for then; the part of the way to the face
// that the first attempt goes; and how far the second one goes too far, so that it ends in the cell to come.
constexpr int kLandingSteps = 30;
constexpr double kAtFaceCells = 1e-5, kLookAheadCells = 0.05, kApproach = 0.95, kBeyondFace = 1e-6;
// Leaving a block: how many look-ups on the curve of a step that goes beyond it, and then how many steps,
// look for the place; and, where a line goes from block to block in fewer steps than kFewSteps, for how many
// it searches for each stage instead.
constexpr int kExitLookUps = 6, kExitSteps = 6;
constexpr double kNearExit = 1e-3;  // of the step: near enough to try it with a step
constexpr std::int64_t kFewSteps = 3;
constexpr int kSearchingSteps = 30;
// Ten halvings find the exit to a thousandth of a step; the next step then starts so close that its parabola
// is good to a millionth of that.
constexpr int kExitProbes = 10;

/// The cubic Hermite curve of a step of length h (signed) from a to b, at u = 0 ... 1 of it.
Vec3 hermite(Vec3 a, Vec3 velocityA, Vec3 b, Vec3 velocityB, double h, double u) {
  return (1 + 2 * u) * (1 - u) * (1 - u) * a + u * u * (3 - 2 * u) * b +
         h * (u * (1 - u) * (1 - u) * velocityA - u * u * (1 - u) * velocityB);
}

/// The field without searches at the end of a block.
struct NearField {
  LineField& field;
  Reach velocityAt(Vec3 point, double time, Vec3& velocity) {
    return field.velocityNear(point, time, velocity);
  }
};

/// How far the attempts from one vertex have come with ending on the next face.
struct Landing {
  enum Stage { Untried, Approached, Ending, Over } stage = Untried;
  fields::Location cell;      ///< that the line is in after the vertex; invalid where nobody has looked
  PointInCell before, ahead;  ///< two points of the line's tangent in it
  double limit = 0;           ///< the step that was wished for
};

class Tracer {
 public:
  Tracer(LineField& field, int direction, const LineOptions& options, tasks::TaskContext& context,
         LineSink& sink);
  LineResult run(Vec3 seed);

 private:
  bool start(Vec3 seed);
  bool limitReached();
  double firstAttempt();
  void advance();
  Step attempt(double h);
  double errorOf(const Step& step, double h) const;
  bool crossed(const Landing& landing) const;
  void approach(double& h, Landing& landing);
  bool land(const Step& step, double& h, Landing& landing);
  bool leaveBlock(const Step& beyond, double& h);
  bool followOut(const Step& beyond, double h, BlockExit& exit);
  void endOrEnter(const Step& last, double s, double error, double wished);
  void takeLast(const Step& last, double s, double error);
  bool retreat(const Step& failed, double& h, bool again);
  double arcLength(const Step& step, double h) const;
  void accept(const Step& step, double h, double error, bool retreated);
  void end(Termination reason) { m_result.termination = reason; }
  bool ended() const { return m_result.termination != Termination::None; }
  bool adaptive() const { return m_options.method == Method::Dopri5; }
  double signedTime() const { return m_direction * m_elapsed; }

  LineField& m_field;
  const double m_direction;
  LineOptions m_options;
  tasks::TaskContext& m_context;
  LineSink& m_sink;
  double m_diagonal, m_exitLength, m_smallestLength;

  LineResult m_result;
  StepControl m_control;
  Vec3 m_position, m_velocity;
  double m_speed = 0, m_largestSpeed = 0;
  bool m_atExit = false;                        // the vertex is where the line ends
  std::int64_t m_lastEntry = -kFewSteps;        // number of the step that went into another block
  int m_searching = 0;                          // steps to come that search for every stage
  int m_landings = 0;                           // steps to come that try to end on a face
  double m_elapsed = 0;                         // |time|
  double m_wish = LineOptions::kUnlimited;      // the next step's size, as the controller wants it
  double m_cautious = LineOptions::kUnlimited;  // a limit to it, for some steps after a retreat
};

Tracer::Tracer(LineField& field, int direction, const LineOptions& options, tasks::TaskContext& context,
               LineSink& sink)
    : m_field(field), m_direction(direction), m_options(options), m_context(context), m_sink(sink) {
  m_diagonal = field.bounds().diagonal();
  if (m_options.tolerance == 0) m_options.tolerance = 1e-6 * m_diagonal;
  if (m_options.hermiteTolerance == 0) {
    m_options.hermiteTolerance = std::max(1e-5 * m_diagonal, m_options.tolerance);
  }
  m_exitLength = kExitFraction * m_diagonal;
  // Below this a step is lost in the rounding of the coordinates.
  m_smallestLength = 4 * std::numeric_limits<double>::epsilon() *
                     std::max(length(field.bounds().min), length(field.bounds().max));
}

LineResult Tracer::run(Vec3 seed) {
  try {
    if (start(seed)) {
      while (!limitReached()) {
        advance();
        if (ended()) break;
      }
    }
  } catch (const tasks::TimeIsUp&) {
    // A page did not come in time: the line ends with its last vertex.
    end(Termination::OutOfTime);
  }
  m_result.time = signedTime();
  return m_result;
}

bool Tracer::start(Vec3 seed) {
  m_position = seed;
  const Reach reach = m_field.velocityAt(seed, m_options.startTime, m_velocity);
  if (reach == Reach::Outside) {
    end(Termination::SeedOutside);
    return false;
  }
  m_field.accept(m_direction);
  m_result.block = m_field.place().block;
  m_sink.vertex(seed, 0, m_field.values());
  if (reach == Reach::NotFinite) end(Termination::NotFinite);
  return !ended();
}

bool Tracer::limitReached() {
  if (m_context.stopRequested()) throw Cancelled();
  m_speed = length(m_velocity);
  m_largestSpeed = std::max(m_largestSpeed, m_speed);
  if (m_result.length >= m_options.maxLength) {
    end(Termination::MaxLength);
  } else if (m_elapsed >= m_options.maxTime) {
    end(Termination::MaxTime);
  } else if (m_result.steps >= m_options.maxSteps) {
    end(Termination::MaxSteps);
  } else if (m_speed <= std::max({kStagnationRatio * m_largestSpeed, m_options.minSpeed, kLeastSpeed})) {
    end(Termination::Stagnation);
  } else if (m_context.outOfTime()) {
    end(Termination::OutOfTime);
  }
  return ended();
}

double Tracer::firstAttempt() {
  const double cells = m_field.cellsPerTime(m_velocity);
  const double mostCells = adaptive() ? m_options.maxStepCells : m_options.stepCells;
  double h = std::min(m_wish, m_diagonal / m_speed);
  if (cells > 0) h = std::min(h, mostCells / cells);
  if (adaptive() && m_result.steps == 0 && cells > 0) h = std::min(h, kFirstStepCells / cells);
  h = std::min(h, m_cautious);
  // A rest of less than a thousandth of a step is taken along.
  const double rest = m_options.maxTime - m_elapsed;
  return rest < 1.001 * h ? rest : h;
}

Step Tracer::attempt(double h) {
  const double t = m_options.startTime + signedTime();
  if (m_searching > 0) {
    return adaptive() ? dopri5Step(m_field, m_position, t, m_velocity, m_direction * h)
                      : rk4Step(m_field, m_position, t, m_velocity, m_direction * h);
  }
  NearField near{m_field};
  return adaptive() ? dopri5Step(near, m_position, t, m_velocity, m_direction * h)
                    : rk4Step(near, m_position, t, m_velocity, m_direction * h);
}

/// At most 1 for a step that may be accepted.
double Tracer::errorOf(const Step& step, double h) const {
  if (!adaptive()) return step.turnsBack ? 2 : 0;
  return std::max({step.error / m_options.tolerance, step.hermiteError / m_options.hermiteTolerance,
                   step.error / (kErrorFraction * h * m_speed)});
}

/// Steps from the last vertex until one is accepted or the line is at its end.
void Tracer::advance() {
  if (m_atExit) return end(Termination::OutOfDomain);
  double h = firstAttempt();
  bool retreated = false;
  Landing landing;
  if (m_landings > 0) approach(h, landing);
  while (true) {
    if (!(h * m_speed > m_smallestLength)) return end(Termination::StepTooSmall);
    const Step step = attempt(h);
    if (step.reach == Reach::Outside || step.reach == Reach::NotFinite) {
      if (!retreat(step, h, retreated)) return;
      retreated = true;
      landing.stage = Landing::Over;
    } else if (const double error = errorOf(step, h); !(error <= 1)) {
      if (!adaptive()) {
        h *= 0.5;
      } else if (landing.stage == Landing::Untried && crossed(landing)) {
        m_landings = kLandingSteps;
        approach(h, landing);
        if (landing.stage == Landing::Untried) h *= m_control.afterRejected(error);
      } else {
        h *= m_control.afterRejected(error);
        landing.stage = Landing::Over;
      }
    } else if (step.endsBeyond) {
      if (!leaveBlock(step, h)) return;
      retreated = true;
      landing.stage = Landing::Over;
    } else if (!(landing.stage == Landing::Approached && land(step, h, landing))) {
      accept(step, h, error, retreated);
      // The size of a step that was cut at a face says nothing of the next one's.
      if (landing.stage == Landing::Ending) m_wish = std::max(m_wish, landing.limit);
      return;
    }
    ++m_result.rejected;
  }
}

/// Whether the last attempt ended in another cell than it began in.
bool Tracer::crossed(const Landing& landing) const {
  return !sameCell(m_field.lastPlace(), landing.cell.valid() ? landing.cell : m_field.place());
}

/// Where a step of size h would leave the cell that lies ahead, makes it end shortly before the face.
void Tracer::approach(double& h, Landing& landing) {
  const double cells = m_field.cellsPerTime(m_velocity);
  if (!(cells > 0)) return;
  const auto look = [&](double distanceCells, PointInCell& point, fields::Location& found) {
    point.at = distanceCells / cells;
    const double ahead = m_direction * point.at;
    const Vec3 place = m_position + ahead * m_velocity;
    const fields::Nearness nearness =
        m_field.locateNear(place, m_options.startTime + signedTime() + ahead, found);
    point.xi = found.xi;
    return nearness == fields::Nearness::Inside;
  };
  if (!look(kAtFaceCells, landing.ahead, landing.cell)) return;
  if (sameCell(landing.cell, m_field.place())) {
    landing.before = {0, m_field.place().xi};
  } else {
    // The vertex lies at a face: the cell that matters is the one behind it.
    fields::Location further;
    if (!look(kLookAheadCells, landing.before, landing.cell) ||
        !look(2 * kLookAheadCells, landing.ahead, further) || !sameCell(further, landing.cell)) {
      return;
    }
  }
  const double face = faceAhead(landing.before, landing.ahead);
  if (!(face < h)) return;
  landing.limit = h;
  h = kApproach * face;
  landing.stage = Landing::Approached;
}

/// After the step that ends shortly before the face: makes h end on it. False where there is no need.
bool Tracer::land(const Step& step, double& h, Landing& landing) {
  landing.stage = Landing::Over;
  if (crossed(landing)) return false;
  const double length = h;
  const auto curve = [&](double s, fields::Location& found) {
    // Used a little beyond the step's end.
    const Vec3 point =
        hermite(m_position, m_velocity, step.position, step.velocity, m_direction * length, s / length);
    return m_field.locateNear(point, m_options.startTime + signedTime() + m_direction * s, found) ==
           fields::Nearness::Inside;
  };
  const std::optional<double> exit = cellExit(landing.cell, landing.ahead, {h, m_field.lastPlace().xi},
                                              std::min(landing.limit, 2 * h), curve);
  if (!exit) return false;
  h = std::min(*exit * (1 + kBeyondFace), landing.limit);
  landing.stage = Landing::Ending;
  return true;
}

/// After a step of size h that is good but ends beyond the block: takes a step to the place where the line
/// leaves it, which ends the line or goes on into another block; then false. True where h was made smaller
/// instead, for another attempt.
bool Tracer::leaveBlock(const Step& beyond, double& h) {
  BlockExit exit(h, m_field.lastPlace());
  bool found = followOut(beyond, h, exit);
  if (found && exit.next() * m_speed <= m_exitLength) {
    endOrEnter({.position = m_position, .velocity = m_velocity}, 0, 0, h);
    return false;
  }
  // Steps to where the end seems to be, until one stops just before it.
  const double slack = 0.5 * m_exitLength / m_speed;
  double s = exit.next(slack);
  exit.restart(h);
  for (int n = 0; found && n < kExitSteps; ++n, s = exit.next(slack)) {
    ++m_result.rejected;
    const Step step = attempt(s);
    found = step.reach == Reach::Inside || step.reach == Reach::Beyond;
    if (!found) break;
    const double error = errorOf(step, s);
    if (!(error <= 1)) {
      h = s * (adaptive() ? m_control.afterRejected(error) : 0.5);
      return true;
    }
    exit.add(s, m_field.lastPlace(), step.endsBeyond);
    if (step.endsBeyond || exit.left() > 2 * slack) continue;
    endOrEnter(step, s, error, h);
    return false;
  }
  h = exit.inside() > 0 ? exit.inside() : 0.5 * exit.outside();
  m_cautious = h;
  return true;
}

/// Looks for the exit on the Hermite curve of a step that ends beyond the block; false where the curve cannot
/// be followed.
bool Tracer::followOut(const Step& beyond, double h, BlockExit& exit) {
  const double time = m_options.startTime + signedTime();
  for (int n = 0; n < kExitLookUps; ++n) {
    const double s = exit.next();
    const Vec3 point =
        hermite(m_position, m_velocity, beyond.position, beyond.velocity, m_direction * h, s / h);
    fields::Location found;
    const fields::Nearness nearness = m_field.locateNear(point, time + m_direction * s, found);
    if (nearness == fields::Nearness::Far) return false;
    exit.add(s, found, nearness == fields::Nearness::Beyond);
    if (std::abs(exit.left()) * m_speed < m_exitLength || std::abs(exit.left()) < kNearExit * h) return true;
  }
  return true;
}

/// After the step `last`, of size s, to just before the end of the block (s = 0: the vertex is there): takes
/// it, and the line ends there, or one a little longer into what goes on behind the end.
void Tracer::endOrEnter(const Step& last, double s, double error, double wished) {
  const double speed = length(last.velocity);
  const double further = std::min(2 * m_exitLength / speed, m_options.maxTime - m_elapsed - s);
  const double longer = s + further;
  const double time = m_options.startTime + signedTime() + m_direction * longer;
  fields::Location found;
  if (!(speed > 0 && m_field.locate(last.position + (m_direction * further) * last.velocity, time, found)))
    return takeLast(last, s, error);
  Step over = attempt(longer);
  // The next step begins with what is at its end.
  m_field.enter(found);
  if (over.reach == Reach::Outside || over.reach == Reach::NotFinite ||
      m_field.velocityNear(over.position, time, over.velocity) != Reach::Inside) {
    m_field.enter(m_field.place());
    if (s > 0) attempt(s);
    return takeLast(last, s, error);
  }
  if (m_result.steps - m_lastEntry <= kFewSteps) m_searching = kSearchingSteps;
  m_lastEntry = m_result.steps;
  accept(over, longer, error, true);
  m_wish = std::max(m_wish, wished);
}

/// The line ends with `last`.
void Tracer::takeLast(const Step& last, double s, double error) {
  m_atExit = true;
  if (s > 0) return accept(last, s, error, true);
  end(Termination::OutOfDomain);
}

/// After a step of size h that left the domain (`again`: not the first from this vertex): makes h smaller, or
/// ends the line (then false).
bool Tracer::retreat(const Step& failed, double& h, bool again) {
  // A large step at a small speed has stages anywhere; only one that failed nearby tells of the boundary.
  if (std::max(h * m_speed, length(failed.position - m_position)) <= 2 * m_exitLength) {
    end(failed.reach == Reach::Outside ? Termination::OutOfDomain : Termination::NotFinite);
    ++m_result.rejected;
    return false;
  }
  const double time = m_options.startTime + signedTime();
  const auto parabolaLeaves = [&](double s) {
    const double ahead = m_direction * s;
    const Vec3 point = m_position + ahead * m_velocity + (0.5 * ahead * ahead) * failed.acceleration;
    fields::Location found;
    return !m_field.locate(point, time + ahead, found);
  };
  if (again || failed.reach == Reach::NotFinite || !parabolaLeaves(h)) {
    // What was left by a stage is not what was looked for: halve, and go on with what was left over.
    h *= 0.5;
    m_cautious = h;
    return true;
  }
  double inside = 0, outside = h;
  for (int probe = 0; probe < kExitProbes; ++probe) {
    const double middle = 0.5 * (inside + outside);
    (parabolaLeaves(middle) ? outside : inside) = middle;
  }
  h = inside > 0 ? inside : outside;
  m_cautious = 8 * (outside - inside);
  return true;
}

/// Length of the Hermite cubic of a step, by Simpson's rule on its speed (at half time the derivative of the
/// cubic is 3/2 of the chord's less 1/4 of the sum of the end velocities).
double Tracer::arcLength(const Step& step, double h) const {
  const Vec3 chord = (m_direction / h) * (step.position - m_position);
  const Vec3 middle = 1.5 * chord - 0.25 * (m_velocity + step.velocity);
  return h / 6 * (m_speed + 4 * length(middle) + length(step.velocity));
}

void Tracer::accept(const Step& step, double h, double error, bool retreated) {
  m_result.length += arcLength(step, h);
  m_field.accept(m_direction);
  if (m_landings > 0) --m_landings;
  if (m_searching > 0) --m_searching;
  m_position = step.position;
  m_velocity = step.velocity;
  // The last step's size was computed as this difference; adding it back may miss maxTime by a rounding.
  m_elapsed = h == m_options.maxTime - m_elapsed ? m_options.maxTime : m_elapsed + h;
  ++m_result.steps;
  if (adaptive()) m_wish = h * m_control.afterAccepted(error);
  if (!retreated) m_cautious *= kMostGrowth;
  m_sink.vertex(m_position, signedTime(), m_field.values());
}

}  // namespace

void LineOptions::check() const {
  const auto require = [](bool good, const char* key, double value, const char* rule) {
    if (!good) throw Invalid(formatNumber(value) + " is not possible", rule).at(key);
  };
  require(tolerance >= 0 && std::isfinite(tolerance), "tolerance", tolerance, "give a length above 0");
  require(hermiteTolerance >= 0 && std::isfinite(hermiteTolerance), "hermiteTolerance", hermiteTolerance,
          "give a length above 0");
  require(stepCells > 0 && stepCells <= 100, "step", stepCells, "give a number of cells up to 100");
  require(maxStepCells > 0 && maxStepCells <= 100, "maxStep", maxStepCells,
          "give a number of cells up to 100");
  require(maxTime > 0, "maxTime", maxTime, "give a time above 0");
  require(maxLength > 0, "maxLength", maxLength, "give a length above 0");
  require(maxSteps > 0, "maxSteps", static_cast<double>(maxSteps), "give a number above 0");
  require(minSpeed >= 0 && std::isfinite(minSpeed), "minSpeed", minSpeed, "give a speed of 0 or more");
  require(std::isfinite(startTime), "startTime", startTime, "give a time");
}

LineResult traceLine(LineField& field, Vec3 seed, int direction, const LineOptions& options,
                     tasks::TaskContext& context, LineSink& sink) {
  assert(direction == 1 || direction == -1);
  options.check();
  return Tracer(field, direction, options, context, sink).run(seed);
}

}  // namespace farfield::flow
