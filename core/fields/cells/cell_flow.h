#pragma once
// The velocity in one cell, in the cell's own coordinates xi. A point moves through a cell by
//   d xi / dt = J(xi)^-1 u(xi),
// where J is the Jacobian of the cell's map to space and u the velocity, both interpolated between the
// This is dx/dt = u(x) exactly, without a search: the position in the cell is known without inverting
// anything. Sadarjoen, van Walsum, Hin and Post call it tracing in computational space ("Particle Tracing
// Algorithms for 3D Curvilinear Grids", 1994); here the Jacobian is that of the point, not interpolated from
// the nodes.
//
// Each shape of cells is a class here, and a CellFlow holds one of them. The code that takes steps is
// compiled for each shape and visits the CellFlow once per cell, so that no stage tests the shape. A shape
// describes the cell in its own coordinates:
//   - Linear `measure`s of xi are all 0 … 1 inside. Face 2n is where measure n is 0, face 2n + 1 where
//     it is 1. (Of a tetrahedron: x, y, z and x + y + z.) Measures are defined beyond the cell as well.
//   - clamped(xi) is the nearest point of the cell; onFace(xi, face) is xi moved onto a face.
//   - faceAhead(xi, way): a face on which xi lies and through which `way` leads out, or kNoFace.
//   - straightTime(xi, rate): the time at `rate` to the next face; infinite if there is none.
// and at a time (in the data's units, near the one that it was made for):
//   - position(xi, time), velocity(xi, time), rate(xi, time): d xi / dt, in cells per time unit, not finite
//     if the map has no inverse; lengthOf(way, xi, time): the length in space of a small `way`.

#include <algorithm>
#include <array>
#include <limits>
#include <variant>

#include "core/base/geometry.h"
#include "core/fields/cells/trilinear.h"

namespace farfield::fields {

inline constexpr int kNoFace = -1;

/// The unit cube, whose measures are xi itself.
struct Hexahedron {
  static constexpr int kMeasures = 3;
  static double measure(int n, Vec3 xi) { return xi[n]; }

  static Vec3 clamped(Vec3 xi) {
    return {std::clamp(xi.x, 0.0, 1.0), std::clamp(xi.y, 0.0, 1.0), std::clamp(xi.z, 0.0, 1.0)};
  }
  static Vec3 onFace(Vec3 xi, int face) {
    xi[face / 2] = face % 2;
    return xi;
  }
  static int faceAhead(Vec3 xi, Vec3 way) {
    for (int a = 0; a < 3; ++a)
      if ((way[a] > 0 && xi[a] == 1) || (way[a] < 0 && xi[a] == 0)) return 2 * a + (way[a] > 0 ? 1 : 0);
    return kNoFace;
  }
  static double straightTime(Vec3 xi, Vec3 rate) {
    double time = std::numeric_limits<double>::infinity();
    for (int a = 0; a < 3; ++a)
      if (rate[a] != 0) time = std::min(time, ((rate[a] > 0 ? 1 : 0) - xi[a]) / rate[a]);
    return time;
  }
  /// How far `xi` is outside, in cells; negative inside.
  static double outsideBy(Vec3 xi) { return std::max({xi.x - 1, -xi.x, xi.y - 1, -xi.y, xi.z - 1, -xi.z}); }
};

/// The tetrahedron between 0 and 1 on each axis. Its measures are x, y, z and x + y + z.
struct Tetrahedron {
  static constexpr int kMeasures = 4;
  static double measure(int n, Vec3 xi) { return n < 3 ? xi[n] : xi.x + xi.y + xi.z; }

  static Vec3 clamped(Vec3 xi) {
    xi = {std::max(xi.x, 0.0), std::max(xi.y, 0.0), std::max(xi.z, 0.0)};
    const double sum = measure(3, xi);
    return sum > 1 ? (1 / sum) * xi : xi;
  }
  static Vec3 onFace(Vec3 xi, int face) {
    if (face < 6) {
      xi[face / 2] = face % 2;
      return xi;
    }
    const double sum = measure(3, xi);
    return face == 6 ? Vec3{} : sum > 0 ? (1 / sum) * xi : xi;
  }
  static int faceAhead(Vec3 xi, Vec3 way) {
    for (int a = 0; a < 3; ++a)
      if (way[a] < 0 && xi[a] == 0) return 2 * a;
    return measure(3, way) > 0 && measure(3, xi) >= 1 - kRounding ? 7 : kNoFace;
  }
  static double straightTime(Vec3 xi, Vec3 rate) {
    double time = std::numeric_limits<double>::infinity();
    for (int a = 0; a < 3; ++a)
      if (rate[a] < 0) time = std::min(time, -xi[a] / rate[a]);
    const double sum = measure(3, rate);
    return sum > 0 ? std::min(time, (1 - measure(3, xi)) / sum) : time;
  }
  static double outsideBy(Vec3 xi) { return std::max({-xi.x, -xi.y, -xi.z, measure(3, xi) - 1}); }

  /// How close to 1 a sum counts as 1.
  static constexpr double kRounding = 1e-15;
};

/// The triangle between 0 and 1 on the axes x and y, along z. Its measures are x, y, z and x + y.
struct Wedge {
  static constexpr int kMeasures = 4;
  static double measure(int n, Vec3 xi) { return n < 3 ? xi[n] : xi.x + xi.y; }

  static Vec3 clamped(Vec3 xi) {
    xi = {std::max(xi.x, 0.0), std::max(xi.y, 0.0), std::clamp(xi.z, 0.0, 1.0)};
    const double sum = xi.x + xi.y;
    return sum > 1 ? Vec3{xi.x / sum, xi.y / sum, xi.z} : xi;
  }
  static Vec3 onFace(Vec3 xi, int face) {
    if (face < 6) {
      xi[face / 2] = face % 2;
      return xi;
    }
    const double sum = xi.x + xi.y;
    if (face == 6) return {0, 0, xi.z};
    return sum > 0 ? Vec3{xi.x / sum, xi.y / sum, xi.z} : xi;
  }
  static int faceAhead(Vec3 xi, Vec3 way) {
    for (int a = 0; a < 3; ++a)
      if (way[a] < 0 && xi[a] == 0) return 2 * a;
    if (way.z > 0 && xi.z == 1) return 5;
    return way.x + way.y > 0 && xi.x + xi.y >= 1 - Tetrahedron::kRounding ? 7 : kNoFace;
  }
  static double straightTime(Vec3 xi, Vec3 rate) {
    double time = std::numeric_limits<double>::infinity();
    for (int a = 0; a < 3; ++a)
      if (rate[a] < 0) time = std::min(time, -xi[a] / rate[a]);
    if (rate.z > 0) time = std::min(time, (1 - xi.z) / rate.z);
    const double sum = rate.x + rate.y;
    return sum > 0 ? std::min(time, (1 - xi.x - xi.y) / sum) : time;
  }
  static double outsideBy(Vec3 xi) { return std::max({-xi.x, -xi.y, -xi.z, xi.x + xi.y - 1, xi.z - 1}); }
};

/// A cell that does not change in time: its map and its velocity are trilinear, or less, as those of
/// tetrahedra and wedges are. Copies what it needs of the cell.
template <class Shape>
class SteadyFlow : public Shape {
 public:
  SteadyFlow(const TrilinearVector& position, const TrilinearVector& velocity)
      : m_position(position), m_velocity(velocity) {}
  /// Of a hexahedron.
  SteadyFlow(const TrilinearVector& position, const CellCorners& velocities)
      : SteadyFlow(position, TrilinearVector(velocities)) {}

  Vec3 position(Vec3 xi, double /*time*/) const { return m_position.at(xi); }
  Vec3 velocity(Vec3 xi, double /*time*/) const { return m_velocity.at(xi); }
  // called seven times a step: inlined so often, the code runs out of registers
  [[gnu::noinline]] Vec3 rate(Vec3 xi, double /*time*/) const {
    return solved(m_position.pointAt(xi).jacobian, m_velocity.at(xi));
  }
  double lengthOf(Vec3 way, Vec3 xi, double /*time*/) const {
    const auto& j = m_position.pointAt(xi).jacobian;
    return length(way.x * j[0] + way.y * j[1] + way.z * j[2]);
  }

 private:
  TrilinearVector m_position, m_velocity;
};

/// A velocity that is linear in time: at a step and at the next one.
struct LinearVelocity {
  TrilinearVector now, next;
  /// When `share` of the time from the step to the next one has passed.
  Vec3 at(Vec3 xi, double share) const { return (1 - share) * now.at(xi) + share * next.at(xi); }
};
/// One that is cubic in time: the coefficients of the powers 0 … 3 of that share (step_curve.h).
struct CubicVelocity {
  std::array<TrilinearVector, 4> powers;
  Vec3 at(Vec3 xi, double share) const {
    return powers[0].at(xi) +
           share * (powers[1].at(xi) + share * (powers[2].at(xi) + share * powers[3].at(xi)));
  }
};

/// A cell between two steps: the velocities at its corners change in time as `Velocity` says, and the corners, if the grid
/// moves, linearly. In a moving cell even a point at rest has a rate:
///   d xi / dt = J(xi, t)^-1 (u(xi, t) - dx/dt(xi)),
/// where dx/dt is the velocity of the cell's map at xi.
template <class Shape, class Velocity = LinearVelocity>
class ChangingFlow : public Shape {
 public:
  /// The cell's map at a step, at time `since`, and at the next one, at `until`; the second counts if it `moves`. Copies what
  /// it needs.
  ChangingFlow(const TrilinearVector& now, const TrilinearVector& next, const Velocity& velocity, bool moves,
               double since, double until)
      : m_now(now),
        m_next(next),
        m_velocity(velocity),
        m_since(since),
        m_perTime(1 / (until - since)),
        m_moves(moves) {}

  Vec3 position(Vec3 xi, double time) const {
    const Vec3 now = m_now.at(xi);
    return m_moves ? mixed(now, m_next.at(xi), shareAt(time)) : now;
  }
  Vec3 velocity(Vec3 xi, double time) const { return m_velocity.at(xi, shareAt(time)); }
  [[gnu::noinline]] Vec3 rate(Vec3 xi, double time) const {
    const CellPoint now = m_now.pointAt(xi);
    if (!m_moves) return solved(now.jacobian, velocity(xi, time));
    const CellPoint next = m_next.pointAt(xi);
    const Vec3 moving = m_perTime * (next.position - now.position);
    return solved(jacobian(now, next, shareAt(time)), velocity(xi, time) - moving);
  }
  double lengthOf(Vec3 way, Vec3 xi, double time) const {
    const CellPoint now = m_now.pointAt(xi);
    const auto j = m_moves ? jacobian(now, m_next.pointAt(xi), shareAt(time)) : now.jacobian;
    return length(way.x * j[0] + way.y * j[1] + way.z * j[2]);
  }

 private:
  static Vec3 mixed(Vec3 now, Vec3 next, double share) { return (1 - share) * now + share * next; }
  static std::array<Vec3, 3> jacobian(const CellPoint& now, const CellPoint& next, double share) {
    std::array<Vec3, 3> columns;
    for (std::size_t a = 0; a < 3; ++a) columns[a] = mixed(now.jacobian[a], next.jacobian[a], share);
    return columns;
  }
  double shareAt(double time) const { return (time - m_since) * m_perTime; }

  TrilinearVector m_now, m_next;
  Velocity m_velocity;
  double m_since, m_perTime;
  bool m_moves;
};

using HexahedronFlow = SteadyFlow<Hexahedron>;
using ChangingHexahedronFlow = ChangingFlow<Hexahedron>;
using CubicHexahedronFlow = ChangingFlow<Hexahedron, CubicVelocity>;

using CellFlow =
    std::variant<HexahedronFlow, ChangingHexahedronFlow, CubicHexahedronFlow, SteadyFlow<Tetrahedron>,
                 ChangingFlow<Tetrahedron>, SteadyFlow<Wedge>, ChangingFlow<Wedge>>;

}  // namespace farfield::fields
