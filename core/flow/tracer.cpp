#include "core/flow/tracer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/flow/block_exit.h"
#include "core/flow/cell_curve.h"
#include "core/flow/integrator.h"
#include "core/flow/step_control.h"
#include "core/tasks/task_context.h"

namespace farfield::flow {
namespace {

constexpr double kStagnationRatio = 1e-9;
constexpr double kLeastSpeed = 1e-150;                   // its square is still a normal number
constexpr double kExitFraction = 1e-7;                   // of the diagonal
constexpr double kFirstStepCells = 0.1, kMostCells = 1;  // of dopri5 in space
constexpr double kErrorFraction = 1e-3;                  // largest error of a step, of its length
constexpr double kMostGrowth = 10;
// Leaving a block: how many look-ups on the curve of a step that goes beyond it, and then how many steps,
// look for the place; and, where a line goes from block to block in fewer steps than kFewSteps, for how many
// it searches for each stage instead.
constexpr int kExitLookUps = 6, kExitSteps = 6;
constexpr double kNearExit = 1e-3;  // of the step: near enough to try it with a step
constexpr std::int64_t kFewSteps = 3;
constexpr int kSearchingSteps = 30;
// Steps through cells: how much longer than the straight way to the next face the first attempt is; how many
// faces are crossed at one place; how many vertices a step has at most.
constexpr double kOvershoot = 1.2;
constexpr int kMostFaces = 6;
constexpr int kStepsInSpace = 8;  // after one through a cell that could not be taken
constexpr double kMostPieces = 16;
constexpr double kRetry =
    2;  // of a step that was rejected and made smaller: the first attempt in the next cell
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

/// The way through a cell, in its coordinates.
struct InCell {
  const fields::CellFlow& flow;
  Reach velocityAt(Vec3 xi, double /*time*/, Vec3& rate) {
    rate = flow.rate(xi);
    return isFinite(rate) ? Reach::Inside : Reach::NotFinite;
  }
};

/// A line's way through a cell.
struct CellStep {
  fields::Location from;
  CellCurve curve;
  double h = 0;                  ///< that the curve takes for s = 0 ... 1
  std::optional<FaceExit> exit;  ///< otherwise it ends inside
};

struct CurvePoint {
  double s = 0;  ///< on the curve
  fields::Location place;
  Vec3 position;
};

class Tracer {
 public:
  Tracer(LineField& field, int direction, const LineOptions& options, tasks::TaskContext& context,
         LineSink& sink);
  LineResult run(Vec3 seed, fields::Location* seedPlace);

 private:
  bool start(Vec3 seed, fields::Location* seedPlace);
  bool limitReached();
  double firstAttempt();
  void advance();
  Step attempt(double h);
  double errorOf(const Step& step, double h) const;
  bool crossCell();
  bool walkOut(double h);
  std::optional<fields::CellFlow> enterCell(fields::Location& place);
  std::optional<CellStep> stepInCell(const fields::Location& place, const fields::CellFlow& flow);
  CurvePoint pointOf(const CellStep& step, const fields::CellFlow& flow, double s) const;
  double piecesOf(const CellStep& step, const fields::CellFlow& flow, const CurvePoint& end) const;
  bool takeEnd(const CellStep& step, CurvePoint end, double h);
  bool leaveBlock(const Step& beyond, double& h);
  bool followOut(const Step& beyond, double h, BlockExit& exit);
  void endOrEnter(const Step& last, double s, double error, double wished);
  void takeLast(const Step& last, double s, double error);
  bool retreat(const Step& failed, double& h, bool again);
  double arcLength(Vec3 position, Vec3 velocity, double h) const;
  void accept(const Step& step, double h, double error, bool retreated);
  void addVertex(Vec3 position, Vec3 velocity, double h);
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
  int m_inSpace = 0;                            // steps to come that are not through cells
  int m_searching = 0;                          // steps to come that search for every stage
  double m_elapsed = 0;                         // |time|
  double m_wish = LineOptions::kUnlimited;      // the next step's size, as the controller wants it
  double m_cautious = LineOptions::kUnlimited;  // a limit to it, for some steps after a retreat
};

Tracer::Tracer(LineField& field, int direction, const LineOptions& options, tasks::TaskContext& context,
               LineSink& sink)
    : m_field(field), m_direction(direction), m_options(options), m_context(context), m_sink(sink) {
  m_diagonal = field.bounds().diagonal();
  if (!adaptive()) m_options.tolerance = m_options.hermiteTolerance = LineOptions::kUnlimited;
  if (m_options.tolerance == 0) m_options.tolerance = 1e-6 * m_diagonal;
  if (m_options.hermiteTolerance == 0) {
    m_options.hermiteTolerance = std::max(1e-5 * m_diagonal, m_options.tolerance);
  }
  m_exitLength = kExitFraction * m_diagonal;
  // Below this a step is lost in the rounding of the coordinates.
  m_smallestLength = 4 * std::numeric_limits<double>::epsilon() *
                     std::max(length(field.bounds().min), length(field.bounds().max));
}

LineResult Tracer::run(Vec3 seed, fields::Location* seedPlace) {
  try {
    if (start(seed, seedPlace)) {
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

bool Tracer::start(Vec3 seed, fields::Location* seedPlace) {
  m_position = seed;
  const Reach reach = seedPlace && seedPlace->valid()
                          ? m_field.velocityIn(*seedPlace, m_velocity)
                          : m_field.velocityAt(seed, m_options.startTime, m_velocity);
  if (reach == Reach::Outside) {
    end(Termination::SeedOutside);
    return false;
  }
  m_field.accept(m_direction);
  m_result.block = m_field.place().block;
  if (seedPlace) *seedPlace = m_field.place();
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
  const double mostCells = adaptive() ? kMostCells : m_options.stepCells;
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
  if (adaptive() && m_searching == 0) {
    if (m_inSpace == 0 && crossCell()) return;
    // What could not be crossed here will not be in the next moment.
    m_inSpace = m_inSpace > 0 ? m_inSpace - 1 : kStepsInSpace;
  }
  double h = firstAttempt();
  bool retreated = false;
  while (true) {
    if (!(h * m_speed > m_smallestLength)) return end(Termination::StepTooSmall);
    const Step step = attempt(h);
    if (step.reach == Reach::Outside || step.reach == Reach::NotFinite) {
      if (!retreat(step, h, retreated)) return;
      retreated = true;
    } else if (const double error = errorOf(step, h); !(error <= 1)) {
      h *= adaptive() ? m_control.afterRejected(error) : 0.5;
    } else if (step.endsBeyond) {
      if (!adaptive() && m_searching == 0 && walkOut(h)) return;
      if (!leaveBlock(step, h)) return;
      retreated = true;
    } else {
      return accept(step, h, error, retreated);
    }
    ++m_result.rejected;
  }
}

/// A step through the cell ahead, with one vertex or more. False, and nothing happened, where that cannot be
/// done.
bool Tracer::crossCell() {
  fields::Location place = m_field.place();
  const std::optional<fields::CellFlow> flow = enterCell(place);
  if (!flow) return false;
  const double rest = m_options.maxTime - m_elapsed;
  const std::optional<CellStep> step = stepInCell(place, *flow);
  if (!step) return false;
  const CurvePoint end = pointOf(*step, *flow, step->exit ? step->exit->s : 1);
  const double whole = end.s * step->h;
  // Along a face, perhaps: in space it does not matter.
  if (!(whole * m_speed > m_smallestLength)) return false;
  const double pieces = piecesOf(*step, *flow, end);
  for (double n = 1; n < pieces; ++n) {
    const CurvePoint point = pointOf(*step, *flow, end.s * n / pieces);
    Vec3 velocity;
    if (m_field.velocityIn(point.place, velocity) != Reach::Inside) return n > 1;
    addVertex(point.position, velocity, whole / pieces);
    if (limitReached()) return true;
  }
  const bool toTheLimit = !step->exit && step->h == rest;
  return takeEnd(*step, end, toTheLimit ? m_options.maxTime - m_elapsed : whole / pieces) || pieces > 1;
}

/// After a step of size h that ends beyond the block: through cells to where the line leaves it. False, and
/// nothing happened, where that cannot be done.
bool Tracer::walkOut(double h) {
  const double until = m_elapsed + h;
  const std::int64_t steps = m_result.steps;
  while (m_elapsed < until && !m_atExit && m_lastEntry < steps && !ended()) {
    if (m_result.steps > steps && limitReached()) break;
    if (!crossCell()) break;
  }
  m_wish = LineOptions::kUnlimited;  // what comes has steps of a fixed size again
  return m_result.steps > steps;
}

/// The velocity in the cell into which the line goes, which `place` becomes where it is on a face.
std::optional<fields::CellFlow> Tracer::enterCell(fields::Location& place) {
  for (int faces = 0; faces < kMostFaces; ++faces) {
    std::optional<fields::CellFlow> flow = m_field.flowIn(place);
    if (!flow) return std::nullopt;
    for (int a = 0; a < 3; ++a) place.xi[a] = std::clamp(place.xi[a], 0.0, 1.0);
    const Vec3 ahead = m_direction * flow->rate(place.xi);
    if (!isFinite(ahead)) return std::nullopt;
    int axis = 0;
    while (axis < 3 &&
           !((ahead[axis] > 0 && place.xi[axis] == 1) || (ahead[axis] < 0 && place.xi[axis] == 0)))
      ++axis;
    if (axis == 3) return flow;
    if (!m_field.crossFace(place, axis, place.xi[axis] == 1)) return std::nullopt;
  }
  return std::nullopt;
}

/// From `place` the largest step that is within the tolerance, at most a little out of the cell.
std::optional<CellStep> Tracer::stepInCell(const fields::Location& place, const fields::CellFlow& flow) {
  const Vec3 rate = flow.rate(place.xi);
  double straight = LineOptions::kUnlimited;
  for (int a = 0; a < 3; ++a) {
    const double ahead = m_direction * rate[a];
    if (ahead != 0) straight = std::min(straight, ((ahead > 0 ? 1 : 0) - place.xi[a]) / ahead);
  }
  double h = std::min({kOvershoot * straight, m_wish, m_diagonal / m_speed});
  const double rest = m_options.maxTime - m_elapsed;
  if (rest < 1.001 * h) h = rest;
  InCell field{flow};
  m_wish = LineOptions::kUnlimited;
  while (h * m_speed > m_smallestLength) {
    const Step step = dopri5Step(field, place.xi, 0, rate, m_direction * h);
    const double away =
        step.reach == Reach::Inside ? flow.lengthOf(step.errorVector, place.xi) : LineOptions::kUnlimited;
    const double error = std::max(away / m_options.tolerance, away / (kErrorFraction * h * m_speed));
    if (error <= 1) {
      CellStep found{place, CellCurve(place.xi, rate, step, m_direction * h), h, std::nullopt};
      found.exit = found.curve.firstExit();
      return found;
    }
    h *= m_control.afterRejected(error);
    // The next cell will be much like this one.
    m_wish = kRetry * h;
    ++m_result.rejected;
  }
  m_wish = LineOptions::kUnlimited;
  return std::nullopt;
}

CurvePoint Tracer::pointOf(const CellStep& step, const fields::CellFlow& flow, double s) const {
  CurvePoint point{s, step.from, {}};
  Vec3& xi = point.place.xi;
  xi = step.curve.at(s);
  for (int a = 0; a < 3; ++a) xi[a] = std::clamp(xi[a], 0.0, 1.0);
  if (step.exit && s == step.exit->s) xi[step.exit->axis] = step.exit->up ? 1 : 0;
  point.position = flow.position(xi);
  return point;
}

/// Into how many pieces the step has to be divided for their Hermite cubics to be close to its curve.
double Tracer::piecesOf(const CellStep& step, const fields::CellFlow& flow, const CurvePoint& end) const {
  const Vec3 velocity = flow.velocity(end.place.xi);
  const Vec3 cubic =
      0.5 * (m_position + end.position) + (0.125 * m_direction * end.s * step.h) * (m_velocity - velocity);
  const double gap = length(flow.position(step.curve.at(0.5 * end.s)) - cubic);
  // The gap is of fourth order.
  if (!(gap > m_options.hermiteTolerance)) return 1;
  return std::min(std::ceil(std::pow(gap / m_options.hermiteTolerance, 0.25)), kMostPieces);
}

/// The vertex at the end of a step through a cell, the time h after the last one. Where the block ends there,
/// it lies a little behind in what goes on there, if anything does.
bool Tracer::takeEnd(const CellStep& step, CurvePoint end, double h) {
  bool ends = false, enters = false;
  if (step.exit && !m_field.crossFace(end.place, step.exit->axis, step.exit->up)) {
    Vec3 velocity;
    if (m_field.velocityIn(end.place, velocity) != Reach::Inside) return false;
    const double speed = length(velocity);
    const double further = std::min(2 * m_exitLength / speed, m_options.maxTime - m_elapsed - h);
    const Vec3 behind = end.position + (m_direction * further) * velocity;
    const double time = m_options.startTime + signedTime() + m_direction * (h + further);
    fields::Location found;
    enters = speed > 0 && m_field.locate(behind, time, found);
    ends = !enters;
    if (enters) {
      end.place = found;
      end.position = behind;
      h += further;
    }
  }
  Vec3 velocity;
  if (m_field.velocityIn(end.place, velocity) != Reach::Inside) return false;
  if (enters) {
    if (m_result.steps - m_lastEntry <= kFewSteps) m_searching = kSearchingSteps;
    m_lastEntry = m_result.steps;
  }
  m_atExit = ends;
  addVertex(end.position, velocity, h);
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

/// Length of the Hermite cubic of a step to `position`, by Simpson's rule on its speed (at half time the
/// derivative of the cubic is 3/2 of the chord's less 1/4 of the sum of the end velocities).
double Tracer::arcLength(Vec3 position, Vec3 velocity, double h) const {
  const Vec3 chord = (m_direction / h) * (position - m_position);
  const Vec3 middle = 1.5 * chord - 0.25 * (m_velocity + velocity);
  return h / 6 * (m_speed + 4 * length(middle) + length(velocity));
}

void Tracer::accept(const Step& step, double h, double error, bool retreated) {
  if (m_searching > 0) --m_searching;
  if (adaptive()) m_wish = h * m_control.afterAccepted(error);
  if (!retreated) m_cautious *= kMostGrowth;
  addVertex(step.position, step.velocity, h);
}

void Tracer::addVertex(Vec3 position, Vec3 velocity, double h) {
  m_result.length += arcLength(position, velocity, h);
  m_field.accept(m_direction);
  m_position = position;
  m_velocity = velocity;
  // The last step's size was computed as this difference; adding it back may miss maxTime by a rounding.
  m_elapsed = h == m_options.maxTime - m_elapsed ? m_options.maxTime : m_elapsed + h;
  ++m_result.steps;
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
  require(maxTime > 0, "maxTime", maxTime, "give a time above 0");
  require(maxLength > 0, "maxLength", maxLength, "give a length above 0");
  require(maxSteps > 0, "maxSteps", static_cast<double>(maxSteps), "give a number above 0");
  require(minSpeed >= 0 && std::isfinite(minSpeed), "minSpeed", minSpeed, "give a speed of 0 or more");
  require(std::isfinite(startTime), "startTime", startTime, "give a time");
}

LineResult traceLine(LineField& field, Vec3 seed, int direction, const LineOptions& options,
                     tasks::TaskContext& context, LineSink& sink, fields::Location* seedPlace) {
  assert(direction == 1 || direction == -1);
  options.check();
  return Tracer(field, direction, options, context, sink).run(seed, seedPlace);
}

}  // namespace farfield::flow
