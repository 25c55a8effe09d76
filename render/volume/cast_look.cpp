#include "render/volume/cast_look.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace farfield::volume {

std::array<float, 3> gradientScale(const BrickGrid& grid, const BrickFormat& format) {
  std::array<float, 3> scale;
  for (int a = 0; a < 3; ++a)
    scale[static_cast<std::size_t>(a)] =
        static_cast<float>(0.5 * format.factor / (grid.rectilinear() ? 1 : grid.spacing[a]));
  return scale;
}

CastLook::CastLook(const BrickGrid& grid, const BrickFormat& format, const CastJob& job)
    : m_format(format),
      m_look(job.look),
      m_transfer{job.scale, job.look.opacity, job.unitLength},
      m_table((checkTransfer(m_transfer), m_transfer),
              job.look.mode == Mode::Composite ? job.stepLength : 0) {
  if (!(job.stepLength > 0)) throw Invalid("the distance between samples must be above 0");
  m_march.mode = m_look.mode;
  m_march.linear = !m_look.nearest;
  m_march.lighting = m_look.lit;
  m_march.table = &m_table;
  m_march.tableShift = m_table.shift();
  m_march.tableLowest = m_table.lowest();
  m_march.tableHighest = m_table.highest();
  m_march.tableLow = static_cast<float>(format.rawOf(m_table.low()));
  m_march.tableScale = static_cast<float>(m_table.scale() * format.factor);
  m_march.isoRaw = static_cast<float>(format.rawOf(m_look.value));
  m_march.isoColor = packedColor(m_transfer.color, m_look.value);
  m_march.gradientScale = gradientScale(grid, format);
  const RayCamera& camera = job.camera;
  const auto unit = [](Vec3 v) {
    v = (1 / length(v)) * v;
    return std::array<float, 3>{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  const Vec3 eye = camera.back(), key = eye - 0.35 * camera.right() + 0.5 * camera.up();
  m_march.key = unit(key);
  m_march.fill = unit(eye + 0.8 * camera.right() - 0.3 * camera.up());
  m_march.half = unit((1 / length(key)) * key + eye);
  const double range = job.scale.max - job.scale.min, diagonal = grid.bounds().diagonal();
  m_march.flat = m_look.mode == Mode::Isosurface
                     ? 0
                     : static_cast<float>(diagonal > 0 ? 0.5 * std::max(range, 0.0) / diagonal : 0);
}

bool CastLook::isSeen(const paging::ValueRange& range) const {
  switch (m_look.mode) {
    case Mode::Composite:
      return m_table.isSeen(range.min, range.max);
    case Mode::Isosurface:
      return range.min <= m_look.value && m_look.value <= range.max;
    case Mode::Maximum:
      // if opacity never falls with the value, what is invisible cannot be a visible maximum
      return !m_table.isRising() || m_table.isSeen(range.min, range.max);
    case Mode::Average:
      break;
  }
  return true;
}

std::uint64_t CastLook::groupsSeen(const std::array<float, kGroups>& low,
                                   const std::array<float, kGroups>& high) const {
  if (m_look.mode == Mode::Average) return ~std::uint64_t{0};
  std::uint64_t seen = 0;
  for (std::size_t g = 0; g < kGroups; ++g) {
    const auto least = static_cast<double>(low[g]), most = static_cast<double>(high[g]);
    if (!(least <= most)) continue;
    if (isSeen({least * m_format.factor + m_format.offset, most * m_format.factor + m_format.offset}))
      seen |= std::uint64_t{1} << g;
  }
  return seen;
}

std::array<float, 4> CastLook::emptyState() const {
  return {m_look.mode == Mode::Maximum ? -INFINITY : 0.0F, 0, 0, 0};
}

void CastLook::pixelOf(const std::array<float, 4>& state, std::span<float, 4> out) const {
  if (m_look.mode == Mode::Composite || m_look.mode == Mode::Isosurface) {
    std::copy(state.begin(), state.end(), out.begin());
    return;
  }
  const bool average = m_look.mode == Mode::Average;
  const float raw = average ? state[0] / state[3] : state[0];
  const bool any = average ? state[3] > 0 : raw > -INFINITY;
  if (!any) {
    std::fill(out.begin(), out.end(), 0.0F);
    return;
  }
  const auto entry =
      static_cast<std::size_t>(m_table.entryOf(static_cast<double>(raw) * m_format.factor + m_format.offset));
  const float alpha = m_table.alpha()[entry];
  const std::uint32_t color = m_table.color()[entry];
  for (unsigned c = 0; c < 3; ++c) out[c] = alpha * static_cast<float>(color >> (20 - 10 * c) & 1023) / 1023;
  out[3] = alpha;
}

}  // namespace farfield::volume
