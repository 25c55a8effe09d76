#include "core/flow/space_steps.h"

#include <algorithm>
#include <cmath>

namespace farfield::flow {
namespace {

constexpr double kFirstStepCells = 0.1, kMostCells = 1;  // of dopri5
constexpr double kMostGrowth = 10;
// leaving a block: the exit is first looked for by so many look-ups on the curve of a step that ends beyond
// it, then by so many steps
constexpr int kExitLookUps = 6, kExitSteps = 6;
constexpr double kNearExit = 1e-3;  // of the step: near enough to try a step
// Ten halvings find the exit to a thousandth of a step; the next step then starts so close that its parabola
// is good to a millionth of that.
constexpr int kExitProbes = 10;

/// The cubic Hermite curve of a step of length h (signed) from a to b, at u = 0 ... 1 of it.
Vec3 hermite(Vec3 a, Vec3 velocityA, Vec3 b, Vec3 velocityB, double h, double u) {
  return (1 + 2 * u) * (1 - u) * (1 - u) * a + u * u * (3 - 2 * u) * b +
         h * (u * (1 - u) * (1 - u) * velocityA - u * u * (1 - u) * velocityB);
}

/// The field for velocityNear(): continued at the end of a block, without a search.
struct NearField {
  LineField& field;
  bool searchesFar;
  Reach velocityAt(Vec3 point, double time, Vec3& velocity) {
    const Reach reach = field.velocityNear(point, time, velocity);
    return reach == Reach::Far && searchesFar ? field.velocityAt(point, time, velocity) : reach;
  }
};

}  // namespace

double SpaceSteps::firstAttempt() {
  const double cells = m_line.field.cellsPerTime(m_line.velocity, m_line.timeAfter(0));
  const double mostCells = m_line.adaptive() ? kMostCells : m_line.options.stepCells;
  double h = std::min(m_line.wish, m_line.diagonal / m_line.pace);
  if (cells > 0) h = std::min(h, mostCells / cells);
  if (m_line.adaptive() && m_line.result.steps == 0 && cells > 0) h = std::min(h, kFirstStepCells / cells);
  h = std::min(h, m_line.cautious);
  // less than a thousandth of a step is not left for another one
  const double rest = m_line.rest();
  return rest < 1.001 * h ? rest : h;
}

/// A step of size h. A line that goes back and forth between blocks has every stage searched for; otherwise
/// `search` tells whether stages far beyond the block's end are. With Never the step may be Far.
Step SpaceSteps::attempt(double h, Search search) {
  const double t = m_line.timeAfter(0);
  if (m_line.searching > 0) {
    return m_line.adaptive()
               ? dopri5Step(m_line.field, m_line.position, t, m_line.velocity, m_line.direction * h)
               : rk4Step(m_line.field, m_line.position, t, m_line.velocity, m_line.direction * h);
  }
  NearField near{m_line.field, search == Search::IfFar};
  return m_line.adaptive() ? dopri5Step(near, m_line.position, t, m_line.velocity, m_line.direction * h)
                           : rk4Step(near, m_line.position, t, m_line.velocity, m_line.direction * h);
}

/// At most 1 for a step that may be accepted.
double SpaceSteps::errorOf(const Step& step, double h) const {
  if (!m_line.adaptive()) return step.turnsBack ? 2 : 0;
  return std::max({step.error / m_line.options.tolerance, step.hermiteError / m_line.options.hermiteTolerance,
                   step.error / (TracedLine::kErrorFraction * h * m_line.pace)});
}

void SpaceSteps::step() {
  double h = firstAttempt();
  bool retreated = false;
  while (true) {
    if (!(h * m_line.pace > m_line.smallestLength)) return m_line.end(Termination::StepTooSmall);
    // if a step of rk4 ends beyond the block, the line leaves through cells, and stages are not searched for
    // for.
    Step step = attempt(h, m_line.adaptive() ? Search::IfFar : Search::Never);
    if (step.reach == Reach::Far) {
      if (m_cells.walkOut(h)) return;
      step = attempt(h);
    }
    if (step.reach == Reach::Outside || step.reach == Reach::NotFinite) {
      if (!retreat(step, h, retreated)) return;
      retreated = true;
    } else if (const double error = errorOf(step, h); !(error <= 1)) {
      h *= m_line.adaptive() ? m_line.control.afterRejected(error) : 0.5;
    } else if (step.endsBeyond) {
      if (!m_line.adaptive() && m_line.searching == 0 && m_cells.walkOut(h)) return;
      if (!leaveBlock(step, h)) return;
      retreated = true;
    } else {
      return accept(step, h, error, retreated);
    }
    ++m_line.result.rejected;
  }
}

/// After a good step of size h that ends beyond the block: takes a step to the point where the line leaves
/// it, which ends the line or enters another block; then false. True if h was made smaller instead, for
/// another attempt.
bool SpaceSteps::leaveBlock(const Step& beyond, double& h) {
  const auto outsideBy = [this](const fields::Location& location) {
    return m_line.field.outsideBy(location);
  };
  BlockExit exit(h, m_line.field.lastLocation(), outsideBy(m_line.field.lastLocation()));
  bool found = followOut(beyond, h, exit);
  if (found && exit.next() * m_line.pace <= m_line.exitLength) {
    endOrEnter({.position = m_line.position, .velocity = m_line.velocity}, 0, 0, h);
    return false;
  }
  // steps to where the end seems to be, until one stops just before it
  const double slack = 0.5 * m_line.exitLength / m_line.pace;
  double s = exit.next(slack);
  exit.restart(h);
  for (int n = 0; found && n < kExitSteps; ++n, s = exit.next(slack)) {
    ++m_line.result.rejected;
    const Step step = attempt(s);
    found = isKnown(step.reach);
    if (!found) break;
    const double error = errorOf(step, s);
    if (!(error <= 1)) {
      h = s * (m_line.adaptive() ? m_line.control.afterRejected(error) : 0.5);
      return true;
    }
    exit.add(s, m_line.field.lastLocation(), outsideBy(m_line.field.lastLocation()), step.endsBeyond);
    if (step.endsBeyond || exit.left() > 2 * slack) continue;
    endOrEnter(step, s, error, h);
    return false;
  }
  h = exit.inside() > 0 ? exit.inside() : 0.5 * exit.outside();
  m_line.cautious = h;
  return true;
}

/// Looks for the exit on the Hermite curve of a step that ends beyond the block; false if the curve cannot be
/// followed.
bool SpaceSteps::followOut(const Step& beyond, double h, BlockExit& exit) {
  const double time = m_line.timeAfter(0);
  for (int n = 0; n < kExitLookUps; ++n) {
    const double s = exit.next();
    const Vec3 point = hermite(m_line.position, m_line.velocity, beyond.position, beyond.velocity,
                               m_line.direction * h, s / h);
    fields::Location found;
    const fields::Nearness nearness = m_line.field.locateNear(point, time + m_line.direction * s, found);
    if (nearness == fields::Nearness::Far) return false;
    exit.add(s, found, m_line.field.outsideBy(found), nearness == fields::Nearness::Beyond);
    if (std::abs(exit.left()) * m_line.pace < m_line.exitLength || std::abs(exit.left()) < kNearExit * h)
      return true;
  }
  return true;
}

/// After the step `last`, of size s, to just before the end of the block (s = 0: the vertex is there): takes
/// it and ends the line there, or takes a slightly longer one into the block that holds the point behind the
/// end.
void SpaceSteps::endOrEnter(const Step& last, double s, double error, double wished) {
  const double speed = length(last.velocity);
  const double further = std::min(2 * m_line.exitLength / speed, m_line.rest() - s);
  const double longer = s + further;
  const double time = m_line.timeAfter(m_line.direction * longer);
  fields::Location found;
  if (!(speed > 0 &&
        m_line.field.locate(last.position + (m_line.direction * further) * last.velocity, time, found)))
    return takeLast(last, s, error);
  Step over = attempt(longer);
  // the next step begins in the block in which this one ends
  m_line.field.enter(found);
  if (!isKnown(over.reach) ||
      NearField{m_line.field, true}.velocityAt(over.position, time, over.velocity) != Reach::Inside) {
    m_line.field.enter(m_line.field.location());
    if (s > 0) attempt(s);
    return takeLast(last, s, error);
  }
  m_line.entersBlock();
  accept(over, longer, error, true);
  m_line.wish = std::max(m_line.wish, wished);
}

/// Ends the line with `last`.
void SpaceSteps::takeLast(const Step& last, double s, double error) {
  m_line.atExit = true;
  if (s > 0) return accept(last, s, error, true);
  m_line.end(Termination::OutOfDomain);
}

/// After a step of size h that left the domain (`again`: not the first from this vertex): makes h smaller, or
/// ends the line (then false).
bool SpaceSteps::retreat(const Step& failed, double& h, bool again) {
  // a large step at a small speed has stages anywhere; only one that failed nearby locates the boundary
  if (std::max(h * m_line.pace, length(failed.position - m_line.position)) <= 2 * m_line.exitLength) {
    m_line.end(failed.reach == Reach::Outside ? Termination::OutOfDomain : Termination::NotFinite);
    ++m_line.result.rejected;
    return false;
  }
  const double time = m_line.timeAfter(0);
  const auto parabolaLeaves = [&](double s) {
    const double ahead = m_line.direction * s;
    const Vec3 point =
        m_line.position + ahead * m_line.velocity + (0.5 * ahead * ahead) * failed.acceleration;
    fields::Location found;
    return !m_line.field.locate(point, time + ahead, found);
  };
  if (again || failed.reach == Reach::NotFinite || !parabolaLeaves(h)) {
    // the exit is not on the parabola: try half the size
    h *= 0.5;
    m_line.cautious = h;
    return true;
  }
  double inside = 0, outside = h;
  for (int probe = 0; probe < kExitProbes; ++probe) {
    const double middle = 0.5 * (inside + outside);
    (parabolaLeaves(middle) ? outside : inside) = middle;
  }
  h = inside > 0 ? inside : outside;
  m_line.cautious = 8 * (outside - inside);
  return true;
}

void SpaceSteps::accept(const Step& step, double h, double error, bool retreated) {
  if (m_line.searching > 0) --m_line.searching;
  if (m_line.adaptive()) m_line.wish = h * m_line.control.afterAccepted(error);
  if (!retreated) m_line.cautious *= kMostGrowth;
  m_line.addVertex(step.position, step.velocity, h);
}

}  // namespace farfield::flow
