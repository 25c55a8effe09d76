#include "core/flow/line_turning.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace farfield::flow {

double turningRate(const fields::CellFlow& cell, Vec3 xi, double time) {
  return std::visit(
      [&](const auto& shape) {
        // Maps and velocities are linear along each axis of a cell, so that differences are derivatives.
        std::array<Vec3, 3> jacobian, slope;
        for (int a = 0; a < 3; ++a) {
          Vec3 from = xi, to = xi;
          from[a] = 0;
          to[a] = 1;
          const auto at = static_cast<std::size_t>(a);
          jacobian[at] = shape.position(to, time) - shape.position(from, time);
          slope[at] = shape.velocity(to, time) - shape.velocity(from, time);
        }
        Vec3 curl;  // times the determinant: the gradients of cell coordinates across their derivatives
        for (std::size_t a = 0; a < 3; ++a)
          curl = curl + cross(cross(jacobian[(a + 1) % 3], jacobian[(a + 2) % 3]), slope[a]);
        const Vec3 velocity = shape.velocity(xi, time);
        const double determinant = dot(jacobian[0], cross(jacobian[1], jacobian[2]));
        const double rate = 0.5 * dot(curl, velocity) / (determinant * length(velocity));
        return std::isfinite(rate) ? rate : 0;
      },
      cell);
}

void TurningSink::vertex(Vec3 point, double time, std::span<const double> values) {
  const fields::Location& place = m_field.location();
  const auto cell = place.valid() ? m_field.flowIn(place, time) : std::nullopt;
  const double rate = cell ? turningRate(*cell, place.xi, time) : 0;
  if (m_isBegun) m_turned += 0.5 * (m_rate + rate) * (time - m_time);
  m_isBegun = true;
  m_rate = rate;
  m_time = time;
  std::copy(values.begin(), values.end(), m_values.begin());
  m_values.back() = m_turned;
  m_out.vertex(point, time, m_values);
}

}  // namespace farfield::flow
