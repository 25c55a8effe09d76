#pragma once
// The velocity in one hexahedral cell, in the cell's own coordinates. A point moves through a cell by
//   d xi / dt = J(xi)^-1 u(xi),
// where J is the Jacobian of the cell's trilinear map and u the velocity, trilinear between the corners. That
// is dx/dt = u(x) exactly, written without a search: nothing has to be inverted to know where a point is. It
// is what Sadarjoen, van Walsum, Hin and Post call tracing in computational space ("Particle Tracing
// Algorithms for 3D Curvilinear Grids", 1994), with the Jacobian of every point in place of interpolated ones
// of the nodes.
//
// xi: 0 … 1 along i, j, k inside the cell, continued beyond. Positions, lengths and times in the data's
// units.

#include "core/base/geometry.h"
#include "core/fields/trilinear.h"

namespace farfield::fields {

/// Holds copies of what it needs of the cell.
class CellFlow {
 public:
  CellFlow(const TrilinearVector& position, const CellCorners& velocities)
      : m_position(position), m_velocity(velocities) {}

  Vec3 position(Vec3 xi) const { return m_position.at(xi); }
  Vec3 velocity(Vec3 xi) const { return m_velocity.at(xi); }
  /// d xi / dt, in cells per time unit; not finite where the map has no inverse.
  Vec3 rate(Vec3 xi) const { return solved(m_position.pointAt(xi).jacobian, m_velocity.at(xi)); }
  /// How long a small way in cell coordinates is in space.
  double lengthOf(Vec3 way, Vec3 xi) const {
    const auto& j = m_position.pointAt(xi).jacobian;
    return length(way.x * j[0] + way.y * j[1] + way.z * j[2]);
  }

 private:
  TrilinearVector m_position, m_velocity;
};

}  // namespace farfield::fields
