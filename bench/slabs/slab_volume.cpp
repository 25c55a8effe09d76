#include "bench/slabs/slab_volume.h"

#include <cmath>
#include <numbers>

#include "core/fields/samples/sample_data.h"
#include "core/scene/slab_rays.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabs/slab_show.h"

namespace farfield::bench {

SlabVolume::SlabVolume(const Request& request, int edge, int steps) : m_account(request.memoryBytes) {
  fields::ReaderRegistry readers;
  readers.add(std::make_unique<samples::SampleDataReader>());
  const std::string url =
      "sample://turbulence?size=" + std::to_string(edge) + "&steps=" + std::to_string(steps);
  m_data = readers.open({{url}, {}, {}, {}}, m_account);
  m_painter = std::make_unique<remote::SlabPainter>(
      *m_data, m_account, remote::SlabPainter::Options{request.processors, request.folder});
  m_facts = m_painter->facts();
  m_show.by = "velocity-x";
  m_show.look.opacity = {{-2, 0.2}, {-0.4, 0}, {0.4, 0}, {2, 0.2}};
  m_show.look.unitLength = 0.1;
  m_show.scale.min = -2;
  m_show.scale.max = 2;
}

remote::ShowRequest SlabVolume::show(int axis, int pixels, bool mesh) const {
  remote::ShowRequest show = m_show;
  show.axis = static_cast<std::uint8_t>(axis);
  show.pixels = pixels;
  show.mesh = mesh;
  return show;
}

SlabVolume::Slabs SlabVolume::slabs(int axis, int pixels, bool mesh, int step) {
  remote::ShowRequest its = show(axis, pixels, mesh);
  its.step = step;
  const remote::Planned plan = remote::SlabCosts(m_facts).slabs(axis, kSlabsOfVolume, {0});
  remote::SlabShow seen(1, its, m_facts.bounds, m_account);
  seen.takePlan(plan);
  Slabs slabs;
  for (std::uint32_t n = 0; n < plan.ranks.size(); ++n) {
    const remote::PaintedSlab painted = m_painter->slab(its, n, plan.edges[n], plan.edges[n + 1], {});
    slabs.heads.push_back(painted.head);
    slabs.pixels.push_back(remote::sentPixels(n, painted));
    slabs.bytes += remote::bytesOf(slabs.heads.back()).size() + remote::bytesOf(slabs.pixels.back()).size();
    seen.takeHead(0, slabs.heads.back());
    seen.takePixels(0, slabs.pixels.back());
  }
  slabs.set = seen.slabs();
  return slabs;
}

std::vector<float> SlabVolume::drawn(const scene::SlabSet& set, const scene::Camera& camera, int side) const {
  std::vector<float> rgba(4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  const scene::VolumeCast cast{.look = m_show.look,
                               .scale = m_show.scale,
                               .camera = camera,
                               .width = side,
                               .height = side,
                               .rows = side,
                               .from = {},
                               .to = {},
                               .stop = {}};
  scene::drawSlabs(set, cast, rgba);
  return rgba;
}

std::uint64_t SlabVolume::frame(const scene::Camera& camera, int side, int axis, double low, double high,
                                std::vector<float>& rgba) {
  remote::ShowRequest show = m_show;
  show.kind = remote::ShowKind::Frame;
  show.camera = camera;
  show.width = show.height = show.rows = side;
  rgba.assign(4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  return m_painter->frame(show, axis, low, high, {}, rgba);
}

scene::Camera SlabVolume::cameraAt(double degrees) const {
  const Vec3 middle = 0.5 * (m_facts.bounds.min + m_facts.bounds.max);
  const Vec3 extent = m_facts.bounds.max - m_facts.bounds.min;
  const double angle = degrees * std::numbers::pi / 180;
  scene::Camera camera;
  camera.target = middle;
  camera.position = middle + 3 * length(extent) * Vec3{std::sin(angle), 0, std::cos(angle)};
  camera.up = {0, 1, 0};
  camera.orthographic = true;
  camera.orthographicHeight = length(extent);
  return camera;
}

}  // namespace farfield::bench
