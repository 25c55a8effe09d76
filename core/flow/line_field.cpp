#include "core/flow/line_field.h"

#include <cassert>
#include <utility>

namespace farfield::flow {

SampledField::SampledField(fields::Sampler& sampler, fields::FieldTime moment)
    : m_sampler(sampler),
      m_moment(moment),
      m_values(static_cast<std::size_t>(sampler.valueCount())),
      m_lastValues(m_values.size()) {
  assert(sampler.valueCount() >= 3);
}

SampledField::SampledField(fields::Sampler& sampler, std::int64_t step, double since, double until,
                           fields::BetweenSteps between)
    : SampledField(sampler, {step, 0, true, between}) {
  m_since = since;
  m_until = until;
}

Reach SampledField::velocityAt(Vec3 point, double time, Vec3& velocity) {
  fields::Location found = m_vertex;
  if (!isFinite(point) || !m_sampler.locate(point, momentAt(time), found)) return Reach::Outside;
  return velocityIn(found, time, velocity);
}

Reach SampledField::velocityNear(Vec3 point, double time, Vec3& velocity) {
  fields::Location found = m_last;
  const fields::Nearness nearness =
      isFinite(point) ? m_sampler.locateNear(point, momentAt(time), found) : fields::Nearness::Far;
  if (nearness == fields::Nearness::Far) return Reach::Far;
  const Reach reach = velocityIn(found, time, velocity);
  return reach == Reach::Inside && nearness == fields::Nearness::Beyond ? Reach::Beyond : reach;
}

Reach SampledField::velocityIn(const fields::Location& found, double time, Vec3& velocity) {
  m_last = found;
  m_lastTime = time;
  m_sampler.evaluate(m_last, momentAt(time), m_lastValues);
  const Vec3 value{m_lastValues[0], m_lastValues[1], m_lastValues[2]};
  if (!isFinite(value)) return Reach::NotFinite;
  velocity = value;
  return Reach::Inside;
}

bool SampledField::locate(Vec3 point, double time, fields::Location& location) {
  location = m_vertex;
  return isFinite(point) && m_sampler.locate(point, momentAt(time), location);
}

fields::Nearness SampledField::locateNear(Vec3 point, double time, fields::Location& location) {
  location = m_last;
  return isFinite(point) ? m_sampler.locateNear(point, momentAt(time), location) : fields::Nearness::Far;
}

void SampledField::accept(int direction) {
  m_vertex = m_last;
  std::swap(m_values, m_lastValues);
  m_sampler.goingOn(m_vertex, momentAt(m_lastTime), direction * Vec3{m_values[0], m_values[1], m_values[2]});
}

}  // namespace farfield::flow
