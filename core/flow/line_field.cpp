#include "core/flow/line_field.h"

#include <cassert>
#include <utility>

namespace farfield::flow {

SteadyField::SteadyField(fields::Sampler& sampler, fields::FieldTime moment)
    : m_sampler(sampler),
      m_moment(moment),
      m_values(static_cast<std::size_t>(sampler.valueCount())),
      m_lastValues(m_values.size()) {
  assert(sampler.valueCount() >= 3);
}

Reach SteadyField::velocityAt(Vec3 point, double time, Vec3& velocity) {
  fields::Location found = m_vertex;
  if (!isFinite(point) || !m_sampler.locate(point, m_moment, found)) return Reach::Outside;
  return velocityIn(found, time, velocity);
}

Reach SteadyField::velocityNear(Vec3 point, double time, Vec3& velocity) {
  fields::Location found = m_last;
  const fields::Nearness nearness =
      isFinite(point) ? m_sampler.locateNear(point, m_moment, found) : fields::Nearness::Far;
  if (nearness == fields::Nearness::Far) return Reach::Far;
  const Reach reach = velocityIn(found, time, velocity);
  return reach == Reach::Inside && nearness == fields::Nearness::Beyond ? Reach::Beyond : reach;
}

Reach SteadyField::velocityIn(const fields::Location& found, double /*time*/, Vec3& velocity) {
  m_last = found;
  m_sampler.evaluate(m_last, m_moment, m_lastValues);
  const Vec3 value{m_lastValues[0], m_lastValues[1], m_lastValues[2]};
  if (!isFinite(value)) return Reach::NotFinite;
  velocity = value;
  return Reach::Inside;
}

bool SteadyField::locate(Vec3 point, double /*time*/, fields::Location& location) {
  location = m_vertex;
  return isFinite(point) && m_sampler.locate(point, m_moment, location);
}

fields::Nearness SteadyField::locateNear(Vec3 point, double /*time*/, fields::Location& location) {
  location = m_last;
  return isFinite(point) ? m_sampler.locateNear(point, m_moment, location) : fields::Nearness::Far;
}

void SteadyField::accept(int direction) {
  m_vertex = m_last;
  std::swap(m_values, m_lastValues);
  m_sampler.goingOn(m_vertex, m_moment, direction * Vec3{m_values[0], m_values[1], m_values[2]});
}

}  // namespace farfield::flow
