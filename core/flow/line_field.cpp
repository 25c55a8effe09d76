#include "core/flow/line_field.h"

#include <cassert>
#include <utility>

namespace farfield::flow {

SteadyField::SteadyField(fields::Sampler& sampler)
    : m_sampler(sampler),
      m_values(static_cast<std::size_t>(sampler.valueCount())),
      m_lastValues(m_values.size()) {
  assert(sampler.valueCount() >= 3);
}

Reach SteadyField::velocityAt(Vec3 point, double /*time*/, Vec3& velocity) {
  m_last = m_vertex;
  if (!isFinite(point) || !m_sampler.locate(point, m_last)) return Reach::Outside;
  m_sampler.evaluate(m_last, m_lastValues);
  const Vec3 found{m_lastValues[0], m_lastValues[1], m_lastValues[2]};
  if (!isFinite(found)) return Reach::NotFinite;
  velocity = found;
  return Reach::Inside;
}

bool SteadyField::locate(Vec3 point, double /*time*/, fields::Location& location) {
  location = m_vertex;
  return isFinite(point) && m_sampler.locate(point, location);
}

void SteadyField::accept(int direction) {
  m_vertex = m_last;
  std::swap(m_values, m_lastValues);
  m_sampler.goingOn(m_vertex, direction * Vec3{m_values[0], m_values[1], m_values[2]});
}

}  // namespace farfield::flow
