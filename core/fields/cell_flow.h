#pragma once
// The velocity in one cell, in the cell's own coordinates xi. A point moves through a cell by
//   d xi / dt = J(xi)^-1 u(xi),
// where J is the Jacobian of the cell's map to space and u the velocity, both interpolated between the
// corners. That is dx/dt = u(x) exactly, written without a search: nothing has to be inverted to know where a
// point is. It is what Sadarjoen, van Walsum, Hin and Post call tracing in computational space ("Particle
// Tracing Algorithms for 3D Curvilinear Grids", 1994), with the Jacobian of every point in place of
// interpolated ones of the nodes.
//
// A shape of cells is a class here, and a CellFlow is of one of them. The code that takes steps is compiled
// for each shape and visits the CellFlow once for a cell, so no stage has to ask which shape it is. A shape says what the cell is in its
// own coordinates:
//   - Some linear `measure`s of xi are all 0 … 1 inside. Face 2n is where measure n is 0, face 2n + 1 where
//     it is 1. (Of a tetrahedron: x, y, z and x + y + z.) A measure is continued beyond the cell.
//   - clamped(xi) is a point of the cell, xi itself if that is one; onFace(xi, face) is xi put on a face.
//   - faceAhead(xi, way): a face on which xi lies and through which `way` leads out, or kNoFace.
//   - straightTime(xi, rate): how long it takes at `rate` to the next face; infinite where there is none.
// and what it is at a time (in the data's units, near the one that it was made for):
//   - position(xi, time), velocity(xi, time), rate(xi, time): d xi / dt, in cells per time unit, not finite
//     where the map has no inverse; lengthOf(way, xi, time): how long a small way is in space.

#include <algorithm>
#include <limits>
#include <variant>

#include "core/base/geometry.h"
#include "core/fields/trilinear.h"

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
  /// How far `xi` is outside, in cells; below 0 inside.
  static double outsideBy(Vec3 xi) { return std::max({xi.x - 1, -xi.x, xi.y - 1, -xi.y, xi.z - 1, -xi.z}); }
};

/// A hexahedron that does not change in time: its map is trilinear, and so is the velocity. Holds copies of
/// what it needs of the cell.
class HexahedronFlow : public Hexahedron {
 public:
  HexahedronFlow(const TrilinearVector& position, const CellCorners& velocities)
      : m_position(position), m_velocity(velocities) {}

  Vec3 position(Vec3 xi, double /*time*/) const { return m_position.at(xi); }
  Vec3 velocity(Vec3 xi, double /*time*/) const { return m_velocity.at(xi); }
  // A step asks for it seven times: inlined so often, the code runs out of registers.
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

using CellFlow = std::variant<HexahedronFlow>;

}  // namespace farfield::fields
