#include "core/extract/flow_walker.h"

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
  m_rates.resize(nu * nv);
  for (std::size_t n = 0; n < m_rates.size(); ++n) {
    const Vec3 vector = sheet.vectorOf(n);
    const double onU = dot(vector, m_alongU), onV = dot(vector, m_alongV);
    m_rates[n] = {m_vv * onU - m_uv * onV, m_uu * onV - m_uv * onU};
  }
}

std::uint64_t FlowWalker::bytesFor(std::int64_t nu, std::int64_t nv) {
  return sizeof(FlowWalker) + static_cast<std::uint64_t>(nu * nv) * (1 + sizeof(FlowSheet::Place));
}

/// What lies on the border of cells belongs to those below as well.
bool FlowWalker::enterBeside(FlowSheet::Place place, Line& line) const {
  const auto here = m_sheet.at(place);
  if (!here) return false;
  line.m_node = here->node;
  const auto along = static_cast<std::size_t>(m_sheet.size[0]);
  line.m_u = place.u - static_cast<double>(here->node % along);
  line.m_v = place.v - static_cast<double>(here->node / along);
  if (m_rates.empty() && line.m_kept != here->node) keepCell(line);
  return true;
}

void FlowWalker::keepCell(Line& line) const {
  const std::size_t a = line.m_node, c = a + static_cast<std::size_t>(m_sheet.size[0]);
  const auto map = [&](const auto& of) {
    const Vec3 low = of(a), right = of(a + 1), up = of(c);
    return Line::Bilinear{low, right - low, up - low, low - right - up + of(c + 1)};
  };
  line.m_position = map([&](std::size_t n) { return m_sheet.points[n]; });
  line.m_vector = map([&](std::size_t n) { return m_sheet.vectorOf(n); });
  line.m_kept = line.m_node;
}

bool FlowWalker::directionInCell(const Line& line, FlowSheet::Place& way) {
  FlowSheet::Here here;
  here.vector = line.m_vector.at(line.m_u, line.m_v);
  here.alongU = line.m_position.alongU + line.m_v * line.m_position.twist;
  here.alongV = line.m_position.alongV + line.m_u * line.m_position.twist;
  return take(FlowSheet::direction(here), way);
}

}  // namespace farfield::extract
