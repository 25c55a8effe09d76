#include "core/flow/tracer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
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
// Ten halvings find the exit to a thousandth of a step; the next step then starts so close that its parabola
// is good to a millionth of that.
constexpr int kExitProbes = 10;

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
  return adaptive() ? dopri5Step(m_field, m_position, t, m_velocity, m_direction * h)
                    : rk4Step(m_field, m_position, t, m_velocity, m_direction * h);
}

/// At most 1 for a step that may be accepted.
double Tracer::errorOf(const Step& step, double h) const {
  if (!adaptive()) return step.turnsBack ? 2 : 0;
  return std::max({step.error / m_options.tolerance, step.hermiteError / m_options.hermiteTolerance,
                   step.error / (kErrorFraction * h * m_speed)});
}

/// Steps from the last vertex until one is accepted or the line is at its end.
void Tracer::advance() {
  double h = firstAttempt();
  bool retreated = false;
  Landing landing;
  if (m_landings > 0) approach(h, landing);
  while (true) {
    if (!(h * m_speed > m_smallestLength)) return end(Termination::StepTooSmall);
    const Step step = attempt(h);
    if (step.reach != Reach::Inside) {
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
    const bool inside =
        m_field.locate(m_position + ahead * m_velocity, m_options.startTime + signedTime() + ahead, found);
    point.xi = found.xi;
    return inside;
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
    // The Hermite cubic of the step, used a little beyond its end.
    const double u = s / length, w = m_direction * length;
    const Vec3 point = (1 + 2 * u) * (1 - u) * (1 - u) * m_position + u * u * (3 - 2 * u) * step.position +
                       w * (u * (1 - u) * (1 - u) * m_velocity - u * u * (1 - u) * step.velocity);
    return m_field.locate(point, m_options.startTime + signedTime() + m_direction * s, found);
  };
  const std::optional<double> exit = cellExit(landing.cell, landing.ahead, {h, m_field.lastPlace().xi},
                                              std::min(landing.limit, 2 * h), curve);
  if (!exit) return false;
  h = std::min(*exit * (1 + kBeyondFace), landing.limit);
  landing.stage = Landing::Ending;
  return true;
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
