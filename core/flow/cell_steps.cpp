#include "core/flow/cell_steps.h"

#include <algorithm>
#include <cmath>

#include "core/flow/integrator.h"

namespace farfield::flow {
namespace {

constexpr double kOvershoot = 1.2;  // the first attempt, relative to the straight way to the next face
constexpr int kMostFaces = 6;       // crossed at one point
constexpr double kMostPieces = 16;  // into which a step is divided
// Growth of the first attempt in the next cell after a step that was rejected and made smaller.
constexpr double kRetry = 2;

/// The path through a cell, in its coordinates.
template <class Flow>
struct InCell {
  const Flow& flow;
  Reach velocityAt(Vec3 xi, double time, Vec3& rate) {
    rate = flow.rate(xi, time);
    return isFinite(rate) ? Reach::Inside : Reach::NotFinite;
  }
};

}  // namespace

bool CellSteps::cross() {
  fields::Location location = m_line.field.location();
  const std::optional<fields::CellFlow> flow = enterCell(location);
  return flow && std::visit([&](const auto& shape) { return crossCell(location, shape); }, *flow);
}

template <class Flow>
bool CellSteps::crossCell(const fields::Location& location, const Flow& flow) {
  const double rest = m_line.rest();
  const std::optional<CellStep> step = stepInCell(location, flow);
  if (!step) return false;
  const CurvePoint end = pointOf(*step, flow, step->exit ? step->exit->s : 1);
  const double whole = end.s * step->h;
  // a line that runs along a face may make no progress in its cell; then a step in space is taken
  if (!(whole * m_line.pace > m_line.smallestLength)) return false;
  const double pieces = piecesOf(*step, flow, end);
  for (double n = 1; n < pieces; ++n) {
    const CurvePoint point = pointOf(*step, flow, end.s * n / pieces);
    const double time = m_line.timeAfter(m_line.direction * whole / pieces);
    Vec3 velocity;
    if (m_line.field.velocityIn(point.location, time, velocity) != Reach::Inside) return n > 1;
    m_line.addVertex(point.position, velocity, whole / pieces);
    if (m_line.limitReached()) return true;
  }
  const bool toTheLimit = !step->exit && step->h == rest;
  return takeEnd(*step, end, toTheLimit ? m_line.rest() : whole / pieces) || pieces > 1;
}

bool CellSteps::walkOut(double h) {
  const double until = m_line.elapsed + h;
  const std::int64_t steps = m_line.result.steps;
  while (m_line.elapsed < until && !m_line.atExit && m_line.lastEntry < steps && !m_line.ended()) {
    if (m_line.result.steps > steps && m_line.limitReached()) break;
    if (!cross()) break;
  }
  m_line.wish = LineOptions::kUnlimited;  // rk4 goes on with steps of its fixed size
  return m_line.result.steps > steps;
}

/// The flow in the cell that the line enters. If `location` is on a face through which the line leaves, it
/// becomes the same point in the neighbouring cell.
std::optional<fields::CellFlow> CellSteps::enterCell(fields::Location& location) {
  const double time = m_line.timeAfter(0);
  for (int faces = 0; faces < kMostFaces; ++faces) {
    std::optional<fields::CellFlow> flow = m_line.field.flowIn(location, time);
    if (!flow) return std::nullopt;
    bool moves = false;
    const int face = std::visit(
        [&](const auto& shape) {
          location.xi = shape.clamped(location.xi);
          const Vec3 ahead = m_line.direction * shape.rate(location.xi, time);
          moves = isFinite(ahead);
          return shape.faceAhead(location.xi, ahead);
        },
        *flow);
    if (!moves) return std::nullopt;
    if (face == fields::kNoFace) return flow;
    if (!m_line.field.crossFace(location, time, face)) return std::nullopt;
  }
  return std::nullopt;
}

/// Takes the largest step from `location` that is within the tolerance and ends at most a little outside the
/// cell.
template <class Flow>
std::optional<CellSteps::CellStep> CellSteps::stepInCell(const fields::Location& location, const Flow& flow) {
  const double time = m_line.timeAfter(0);
  const Vec3 rate = flow.rate(location.xi, time);
  const double straight = flow.straightTime(location.xi, m_line.direction * rate);
  double h = std::min({kOvershoot * straight, m_line.wish, m_line.diagonal / m_line.pace});
  const double rest = m_line.rest();
  if (rest < 1.001 * h) h = rest;
  InCell<Flow> field{flow};
  m_line.wish = LineOptions::kUnlimited;
  while (h * m_line.pace > m_line.smallestLength) {
    const Step step = dopri5Step(field, location.xi, time, rate, m_line.direction * h);
    const double away = step.reach == Reach::Inside ? flow.lengthOf(step.errorVector, location.xi, time)
                                                    : LineOptions::kUnlimited;
    const double error =
        std::max(away / m_line.options.tolerance, away / (TracedLine::kErrorFraction * h * m_line.pace));
    if (error <= 1) {
      CellStep found{location, CellCurve(location.xi, rate, step, m_line.direction * h), time, h,
                     std::nullopt};
      found.exit = found.curve.template firstExit<Flow>();
      return found;
    }
    h *= m_line.control.afterRejected(error);
    // the next cell probably needs steps as small as this one
    m_line.wish = kRetry * h;
    ++m_line.result.rejected;
  }
  m_line.wish = LineOptions::kUnlimited;
  return std::nullopt;
}

template <class Flow>
CellSteps::CurvePoint CellSteps::pointOf(const CellStep& step, const Flow& flow, double s) const {
  CurvePoint point{s, step.from, {}};
  Vec3& xi = point.location.xi;
  xi = flow.clamped(step.curve.at(s));
  if (step.exit && s == step.exit->s) xi = flow.onFace(xi, step.exit->face);
  point.position = flow.position(xi, step.time + m_line.direction * s * step.h);
  return point;
}

/// Number of pieces into which the step must be divided for their Hermite cubics to be close to its curve.
template <class Flow>
double CellSteps::piecesOf(const CellStep& step, const Flow& flow, const CurvePoint& end) const {
  const auto timeAt = [&](double s) { return step.time + m_line.direction * s * step.h; };
  const Vec3 velocity = flow.velocity(end.location.xi, timeAt(end.s));
  const Vec3 cubic = 0.5 * (m_line.position + end.position) +
                     (0.125 * m_line.direction * end.s * step.h) * (m_line.velocity - velocity);
  const double gap = length(flow.position(step.curve.at(0.5 * end.s), timeAt(0.5 * end.s)) - cubic);
  // the gap is of fourth order
  if (!(gap > m_line.options.hermiteTolerance)) return 1;
  return std::min(std::ceil(std::pow(gap / m_line.options.hermiteTolerance, 0.25)), kMostPieces);
}

/// The vertex at the end of a step through a cell, the time h after the last one. If the block ends there and
/// another block holds the point a little behind the end, the vertex is that point.
bool CellSteps::takeEnd(const CellStep& step, CurvePoint end, double h) {
  bool ends = false, enters = false;
  double time = m_line.timeAfter(m_line.direction * h);
  if (step.exit && !m_line.field.crossFace(end.location, time, step.exit->face)) {
    Vec3 velocity;
    if (m_line.field.velocityIn(end.location, time, velocity) != Reach::Inside) return false;
    const double speed = length(velocity);
    const double further = std::min({2 * m_line.exitLength / speed, m_line.rest() - h, m_line.mostBehind()});
    const Vec3 behind = end.position + (m_line.direction * further) * velocity;
    const double later = m_line.timeAfter(m_line.direction * (h + further));
    fields::Location found;
    enters = (speed > 0 || m_line.options.unsteady) && m_line.field.locate(behind, later, found);
    ends = !enters;
    if (enters) {
      end.location = found;
      end.position = behind;
      h += further;
      time = later;
    }
  }
  Vec3 velocity;
  if (m_line.field.velocityIn(end.location, time, velocity) != Reach::Inside) return false;
  if (enters) m_line.entersBlock();
  m_line.atExit = ends;
  m_line.addVertex(end.position, velocity, h);
  return true;
}

}  // namespace farfield::flow
