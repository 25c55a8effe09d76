#include "render/egl/ray_blend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/stoppable_waits.h"
#include "render/view/box_order.h"

namespace farfield::egl {
namespace {

/// Blends `behind`, times `share`, under `sum`.
void blend(float* sum, const float* behind, float share) {
  const float through = share * (1 - sum[3]);
  for (int c = 0; c < 4; ++c) sum[c] += through * behind[c];
}

}  // namespace

bool RayBlend::isNeeded(const scene::Scene& scene) {
  return std::any_of(scene.items.begin(), scene.items.end(),
                     [](const scene::SceneItem& item) { return item.volume != nullptr; });
}

RayBlend::RayBlend(const scene::Scene& scene, const ViewTransform& view, int height, const Band& band)
    : m_scene(scene), m_view(view), m_height(height), m_band(band) {
  const std::size_t pixels = static_cast<std::size_t>(band.width) * static_cast<std::size_t>(band.rows);
  m_from.assign(pixels, 0);
  m_to.resize(pixels);
  m_cast.resize(4 * pixels);
  m_sum.assign(4 * pixels, 0);
  std::vector<const scene::SceneItem*> volumes;
  std::vector<Bounds> boxes;
  for (const scene::SceneItem& item : scene.items) {
    if (!item.volume) continue;
    volumes.push_back(&item);
    boxes.push_back(item.volume->bounds());
  }
  for (const std::size_t n : view::frontToBack(boxes, scene.camera)) m_volumes.push_back(volumes[n]);
}

void RayBlend::castTo(std::span<const float> depths, bool last) {
  const auto width = static_cast<std::size_t>(m_band.width);
  for (int row = 0; row < m_band.rows; ++row) {
    const auto from = static_cast<std::size_t>(m_band.rows - 1 - row) * width;
    const auto to = static_cast<std::size_t>(row) * width;
    for (int x = 0; x < m_band.width; ++x)
      m_to[to + static_cast<std::size_t>(x)] = static_cast<float>(
          m_view.distanceTo(x, m_band.firstRow + row, depths[from + static_cast<std::size_t>(x)]));
  }
  for (const scene::SceneItem* const each : m_volumes) {
    const scene::SceneItem& item = *each;
    const bool whole = item.volumeLook.mode != scene::VolumeMode::Composite;
    if (whole && !last) continue;
    const scene::VolumeCast cast{.look = item.volumeLook,
                                 .scale = item.scale,
                                 .camera = m_scene.camera,
                                 .width = m_band.width,
                                 .height = m_height,
                                 .firstRow = m_band.firstRow,
                                 .rows = m_band.rows,
                                 .from = whole ? std::span<const float>() : m_from,
                                 .to = m_to,
                                 .soon = !last,  // what follows takes time, too
                                 .stop = StoppableWaits::current()};
    item.volume->cast(cast, m_cast);
    const auto opacity = static_cast<float>(item.opacity);
    for (std::size_t n = 0; n < m_cast.size(); n += 4) blend(&m_sum[n], &m_cast[n], opacity);
  }
  m_from = m_to;
}

void RayBlend::addLayer(std::span<const float> depths, std::span<const std::uint8_t> layer) {
  castTo(depths, false);
  const std::size_t row = 4 * static_cast<std::size_t>(m_band.width);
  for (std::size_t n = 0; n < m_sum.size(); n += 4) {
    const std::size_t at = (static_cast<std::size_t>(m_band.rows) - 1 - n / row) * row + n % row;
    float color[4];
    for (std::size_t c = 0; c < 4; ++c) color[c] = static_cast<float>(layer[at + c]) / 255;
    blend(&m_sum[n], color, 1);
  }
}

void RayBlend::finish(std::span<const float> depths, const RayEdges& edges, std::span<std::uint8_t> picture) {
  std::vector<float> sumToNear;
  std::vector<float> ends(depths.begin(), depths.end());
  if (!edges.color.empty()) {
    std::vector<float> nearEnds(ends.size(), 0);  // no ray where there is no edge
    for (std::size_t n = 0; n < ends.size(); ++n) {
      if (edges.color[4 * n + 3] == 0) continue;
      nearEnds[n] = edges.near[n];
      ends[n] = edges.far[n];
    }
    const std::vector<float> from = m_from, sum = m_sum;
    castTo(nearEnds, true);
    sumToNear = std::exchange(m_sum, sum);
    m_from = from;
  }
  castTo(ends, true);
  const std::size_t row = 4 * static_cast<std::size_t>(m_band.width);
  for (std::size_t n = 0; n < m_sum.size(); n += 4) {
    const std::size_t at = (static_cast<std::size_t>(m_band.rows) - 1 - n / row) * row + n % row;
    const float part = edges.color.empty() ? 0 : edges.color[at + 3];
    for (std::size_t c = 0; c < 4; ++c) {
      float color = 255 * m_sum[n + c] + (1 - m_sum[n + 3]) * static_cast<float>(picture[at + c]);
      if (part > 0)
        color += 255 * (part * (sumToNear[n + c] - m_sum[n + c]) +
                        (m_sum[n + 3] - sumToNear[n + 3]) * edges.color[at + c]);
      picture[at + c] = static_cast<std::uint8_t>(std::lround(std::clamp(color, 0.0f, 255.0f)));
    }
  }
}

}  // namespace farfield::egl
