#pragma once
// One step of an explicit Runge-Kutta method for dx/dt = v(x, t). A step only evaluates the velocity; the
// tracer decides which steps are taken, and when a line ends. Steps are pure functions of their arguments.
//
// Both methods evaluate the velocity at the step's end point last: it is the first stage of the next step,
// and a vertex's velocity.

#include <algorithm>
#include <concepts>

#include "core/base/geometry.h"

namespace farfield::flow {

/// Where the point of an evaluation, or of a step, was found.
enum class Reach {
  Inside,
  Beyond,     ///< close beyond the end of the block: its field was continued
  Far,        ///< not found nearby: needs a search
  Outside,    ///< no unblanked cell holds the point
  NotFinite,  ///< the velocity there is NaN or infinite
};

/// Whether there was a velocity.
constexpr bool isKnown(Reach reach) {
  return reach == Reach::Inside || reach == Reach::Beyond;
}

/// A velocity in space and time. `velocity` is set if the answer is Inside or Beyond.
template <class F>
concept VelocityField = requires(F& field, Vec3 point, double time, Vec3& velocity) {
  { field.velocityAt(point, time, velocity) } -> std::same_as<Reach>;
};

/// The result of a step. If `reach` is Far, Outside or NotFinite, only `position` and `acceleration` are
/// valid. Beyond: some stage was.
struct Step {
  Reach reach = Reach::Inside;
  bool turnsBack = false;   ///< rk4: a velocity in it is opposed to the one at its start
  Vec3 position;            ///< at the end of the step, or of the stage that failed
  Vec3 velocity;            ///< there
  bool endsBeyond = false;  ///< the end was Beyond
  double error = 0;         ///< estimate of the local error, a length; 0 if the method has none
  double hermiteError = 0;  ///< estimate of how far the cubic Hermite curve between the ends is from the
                            ///< solution at half time, a length; 0 where the method has no estimate
  Vec3 errorVector{};       ///< dopri5: `error` with its direction
  Vec3 bulge{};         ///< dopri5: the continuous extension at s = 0 … 1 of the step is the Hermite cubic
                        ///< plus s²(1-s)² times this
  Vec3 acceleration{};  ///< of first order, from the first two stages; 0 if the second failed
};

namespace detail {

/// The stages of a step; records the first failure, and whether any was Beyond.
template <VelocityField F>
class Stages {
 public:
  Stages(F& field, Vec3 x, double t, double h) : m_field(field), m_x(x), m_t(t), m_h(h) {}
  /// v(x + h·increment, t + c·h); zero once a stage has failed.
  Vec3 at(double c, Vec3 increment) {
    Vec3 velocity{};
    if (failed()) return velocity;
    m_point = m_x + m_h * increment;
    m_last = m_field.velocityAt(m_point, m_t + c * m_h, velocity);
    if (m_last != Reach::Inside) m_reach = m_last;
    return velocity;
  }
  Reach reach() const { return m_reach; }
  bool failed() const { return !isKnown(m_reach); }
  bool lastBeyond() const { return m_last == Reach::Beyond; }
  /// Of the last stage.
  Vec3 point() const { return m_point; }

 private:
  F& m_field;
  Vec3 m_x, m_point{};
  double m_t, m_h;
  Reach m_reach = Reach::Inside, m_last = Reach::Inside;
};

}  // namespace detail

/// A step of the 5(4) method of Dormand and Prince (J. Comp. Appl. Math. 6, 1980; the error weights and the
/// continuous extension as in Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.5-6).
/// From (x, t), where the velocity is k1, over the signed time h. Six evaluations. The solution of fifth
/// order is used.
template <VelocityField F>
Step dopri5Step(F& field, Vec3 x, double t, Vec3 k1, double h) {
  detail::Stages<F> stage(field, x, t, h);
  Step step;
  const Vec3 k2 = stage.at(1.0 / 5, 1.0 / 5 * k1);
  if (!stage.failed()) step.acceleration = (5 / h) * (k2 - k1);
  const Vec3 k3 = stage.at(3.0 / 10, 3.0 / 40 * k1 + 9.0 / 40 * k2);
  const Vec3 k4 = stage.at(4.0 / 5, 44.0 / 45 * k1 - 56.0 / 15 * k2 + 32.0 / 9 * k3);
  const Vec3 k5 =
      stage.at(8.0 / 9, 19372.0 / 6561 * k1 - 25360.0 / 2187 * k2 + 64448.0 / 6561 * k3 - 212.0 / 729 * k4);
  const Vec3 k6 = stage.at(
      1, 9017.0 / 3168 * k1 - 355.0 / 33 * k2 + 46732.0 / 5247 * k3 + 49.0 / 176 * k4 - 5103.0 / 18656 * k5);
  const Vec3 k7 = stage.at(
      1, 35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 - 2187.0 / 6784 * k5 + 11.0 / 84 * k6);
  step.reach = stage.reach();
  step.position = stage.point();
  if (stage.failed()) return step;
  step.velocity = k7;
  step.endsBeyond = stage.lastBeyond();
  const Vec3 error = 71.0 / 57600 * k1 - 71.0 / 16695 * k3 + 71.0 / 1920 * k4 - 17253.0 / 339200 * k5 +
                     22.0 / 525 * k6 - 1.0 / 40 * k7;
  step.errorVector = h * error;
  step.error = std::abs(h) * length(error);
  // At half time s²(1-s)² is 1/16.
  const Vec3 beyondCubic = -12715105075.0 / 11282082432 * k1 + 87487479700.0 / 32700410799 * k3 -
                           10690763975.0 / 1880347072 * k4 + 701980252875.0 / 199316789632 * k5 -
                           1453857185.0 / 822651844 * k6 + 69997945.0 / 29380423 * k7;
  step.bulge = h * beyondCubic;
  step.hermiteError = std::abs(h) * length(beyondCubic) / 16;
  return step;
}

/// A step of the classical fourth-order method. Four evaluations: three stages and the end point.
template <VelocityField F>
Step rk4Step(F& field, Vec3 x, double t, Vec3 k1, double h) {
  detail::Stages<F> stage(field, x, t, h);
  Step step;
  const Vec3 k2 = stage.at(0.5, 0.5 * k1);
  if (!stage.failed()) step.acceleration = (2 / h) * (k2 - k1);
  const Vec3 k3 = stage.at(0.5, 0.5 * k2);
  const Vec3 k4 = stage.at(1, k3);
  const Vec3 last = stage.at(1, 1.0 / 6 * (k1 + 2 * k2 + 2 * k3 + k4));
  step.reach = stage.reach();
  step.position = stage.point();
  if (stage.failed()) return step;
  step.velocity = last;
  step.endsBeyond = stage.lastBeyond();
  step.turnsBack = std::min({dot(k1, k2), dot(k1, k3), dot(k1, k4), dot(k1, last)}) < 0;
  return step;
}

}  // namespace farfield::flow
