#include "core/extract/flow_walker.h"

#include <cmath>

namespace farfield::extract {

FlowWalker::FlowWalker(const FlowSheet& sheet)
    : m_sheet(sheet),
      m_lastU(static_cast<double>(sheet.size[0] - 1)),
      m_lastV(static_cast<double>(sheet.size[1] - 1)) {
  const auto nu = static_cast<std::size_t>(sheet.size[0]), nv = static_cast<std::size_t>(sheet.size[1]);
  m_usable.assign(nu * nv, 0);
  for (std::size_t j = 0; j + 1 < nv; ++j)
    for (std::size_t i = 0; i + 1 < nu; ++i) {
      const std::size_t a = i + nu * j, c = a + nu;
      m_usable[a] = sheet.usable[a] && sheet.usable[a + 1] && sheet.usable[c] && sheet.usable[c + 1];
    }
  if (!sheet.isLattice || nu < 2 || nv < 2) return;
  m_alongU = (1 / m_lastU) * (sheet.points[nu - 1] - sheet.points[0]);
  m_alongV = (1 / m_lastV) * (sheet.points[nu * (nv - 1)] - sheet.points[0]);
  m_uu = dot(m_alongU, m_alongU), m_uv = dot(m_alongU, m_alongV), m_vv = dot(m_alongV, m_alongV);
  const double area = m_uu * m_vv - m_uv * m_uv;  // squared
  m_rates.resize(nu * nv);
  for (std::size_t n = 0; n < m_rates.size(); ++n) {
    const double* const at = sheet.values.data() + n * sheet.width;
    const Vec3 vector{at[0], at[1], at[2]};
    const double onU = dot(vector, m_alongU), onV = dot(vector, m_alongV);
    m_rates[n] = {(m_vv * onU - m_uv * onV) / area, (m_uu * onV - m_uv * onU) / area};
  }
}

std::uint64_t FlowWalker::bytesFor(std::int64_t nu, std::int64_t nv) {
  return sizeof(FlowWalker) + static_cast<std::uint64_t>(nu * nv) * (1 + sizeof(FlowSheet::Place));
}

bool FlowWalker::enter(FlowSheet::Place place) {
  // also for what is not a number
  if (!(place.u >= 0 && place.v >= 0 && place.u <= m_lastU && place.v <= m_lastV)) return false;
  const auto i = static_cast<std::int64_t>(place.u), j = static_cast<std::int64_t>(place.v);
  const auto node = static_cast<std::size_t>(i + m_sheet.size[0] * j);
  if (!m_usable[node]) return enterBeside(place);
  m_node = node;
  m_u = place.u - static_cast<double>(i), m_v = place.v - static_cast<double>(j);
  if (m_rates.empty() && m_kept != node) keepCell();
  return true;
}

/// What lies on the border of cells belongs to those below as well.
bool FlowWalker::enterBeside(FlowSheet::Place place) {
  const auto here = m_sheet.at(place);
  if (!here) return false;
  m_node = here->node;
  const auto along = static_cast<std::size_t>(m_sheet.size[0]);
  m_u = place.u - static_cast<double>(m_node % along), m_v = place.v - static_cast<double>(m_node / along);
  if (m_rates.empty() && m_kept != m_node) keepCell();
  return true;
}

void FlowWalker::keepCell() {
  const std::size_t a = m_node, c = a + static_cast<std::size_t>(m_sheet.size[0]);
  const auto vector = [&](std::size_t n) {
    const double* const at = m_sheet.values.data() + n * m_sheet.width;
    return Vec3{at[0], at[1], at[2]};
  };
  m_place = bilinear(m_sheet.points[a], m_sheet.points[a + 1], m_sheet.points[c], m_sheet.points[c + 1]);
  m_vector = bilinear(vector(a), vector(a + 1), vector(c), vector(c + 1));
  m_kept = m_node;
}

Vec3 FlowWalker::point() const {
  if (m_rates.empty()) return m_place.at(m_u, m_v);
  return m_sheet.points[m_node] + m_u * m_alongU + m_v * m_alongV;
}

bool FlowWalker::pointAt(FlowSheet::Place place, Vec3& point) {
  if (!enter(place)) return false;
  point = this->point();
  return true;
}

bool FlowWalker::direction(FlowSheet::Place& direction) const {
  if (m_rates.empty()) {
    FlowSheet::Here here;
    here.vector = m_vector.at(m_u, m_v);
    here.alongU = m_place.alongU + m_v * m_place.twist;
    here.alongV = m_place.alongV + m_u * m_place.twist;
    const auto found = FlowSheet::direction(here);
    if (found) direction = *found;
    return found.has_value();
  }
  const FlowSheet::Place *const low = m_rates.data() + m_node, *const high = low + m_sheet.size[0];
  const double ab = m_v * m_u, b = m_u - ab, c = m_v - ab, a = 1 - m_u - c;
  const double du = a * low[0].u + b * low[1].u + c * high[0].u + ab * high[1].u;
  const double dv = a * low[0].v + b * low[1].v + c * high[0].v + ab * high[1].v;
  const double speed = std::sqrt(du * du * m_uu + 2 * du * dv * m_uv + dv * dv * m_vv);
  if (!(speed > 0) || !std::isfinite(speed)) return false;
  direction = {du / speed, dv / speed};
  return true;
}

}  // namespace farfield::extract
