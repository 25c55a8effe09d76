#include "bench/slab_pictures.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "bench/measure.h"
#include "core/fields/samples/sample_data.h"
#include "core/scene/slab_rays.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabd/slab_painter.h"
#include "remote/slabs/slab_show.h"

namespace farfield::bench {
namespace {

constexpr std::uint32_t kSlabs = 8;

/// A volume that is rendered here, in slabs and as a whole.
class Volume {
 public:
  Volume(const Request& request, int edge) : m_account(request.memoryBytes) {
    fields::ReaderRegistry readers;
    readers.add(std::make_unique<samples::SampleDataReader>());
    m_data = readers.open({{"sample://turbulence?size=" + std::to_string(edge)}, {}, {}, {}}, m_account);
    m_painter = std::make_unique<remote::SlabPainter>(
        *m_data, m_account, remote::SlabPainter::Options{request.processors, request.folder});
    m_facts = m_painter->facts();
    m_show.by = "velocity-x";
    m_show.look.opacity = {{-2, 0.2}, {-0.4, 0}, {0.4, 0}, {2, 0.2}};
    m_show.look.unitLength = 0.1;
    m_show.scale.min = -2;
    m_show.scale.max = 2;
  }

  struct Slabs {
    std::shared_ptr<const scene::SlabSet> set;
    std::uint64_t bytes = 0;
  };
  /// As a viewer gets them.
  Slabs slabs(int axis, int pixels, bool mesh) {
    remote::ShowRequest show = m_show;
    show.axis = static_cast<std::uint8_t>(axis);
    show.pixels = pixels;
    show.mesh = mesh;
    const remote::Planned plan = remote::SlabCosts(m_facts).slabs(axis, kSlabs, {0});
    remote::SlabShow seen(1, show, m_facts.bounds, m_account);
    seen.takePlan(plan);
    Slabs slabs;
    for (std::uint32_t n = 0; n < plan.ranks.size(); ++n) {
      const remote::PaintedSlab painted = m_painter->slab(show, n, plan.edges[n], plan.edges[n + 1], {});
      const remote::SlabPixels sent = remote::sentPixels(n, painted);
      slabs.bytes += remote::bytesOf(painted.head).size() + remote::bytesOf(sent).size();
      seen.takeHead(0, painted.head);
      seen.takePixels(0, sent);
    }
    slabs.set = seen.slabs();
    return slabs;
  }

  std::vector<float> drawn(const scene::SlabSet& set, const scene::Camera& camera, int side) const {
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

  /// A part of a frame; without `low` and `high` all of it. Returns the samples that were taken.
  std::uint64_t frame(const scene::Camera& camera, int side, int axis, double low, double high,
                      std::vector<float>& rgba) {
    remote::ShowRequest show = m_show;
    show.kind = remote::ShowKind::Frame;
    show.camera = camera;
    show.width = show.height = show.rows = side;
    rgba.assign(4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
    return m_painter->frame(show, axis, low, high, {}, rgba);
  }

  const remote::VolumeFacts& facts() const { return m_facts; }
  /// From far away, so many degrees from z towards x.
  scene::Camera cameraAt(double degrees) const {
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

 private:
  MemoryAccount m_account;
  std::unique_ptr<fields::OpenData> m_data;
  std::unique_ptr<remote::SlabPainter> m_painter;
  remote::VolumeFacts m_facts;
  remote::ShowRequest m_show;
};

double decibels(const std::vector<float>& one, const std::vector<float>& other) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t n = 0; n < one.size(); ++n) {
    if (n % 4 == 3) continue;
    sum += std::pow(static_cast<double>(one[n] - other[n]), 2);
    ++count;
  }
  return sum > 0 ? 10 * std::log10(static_cast<double>(count) / sum) : 99;
}

std::vector<float> mixed(const std::vector<float>& one, const std::vector<float>& other, double share) {
  std::vector<float> sum(one);
  for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += static_cast<float>(share) * (other[n] - sum[n]);
  return sum;
}

}  // namespace

Json slabAngles(const Request& request) {
  const int edge = request.choose(24, 64, 96, 128), side = request.choose(64, 256, 400, 512);
  Volume volume(request, edge);
  const int pixels = side;
  request.say("slabs: pictures from the side");
  const auto planes = volume.slabs(2, pixels, false), meshes = volume.slabs(2, pixels, true),
             beside = volume.slabs(0, pixels, true);
  const Bounds& box = volume.facts().bounds;
  Json rows = Json::array();
  for (const int degrees : {0, 5, 10, 15, 20, 25, 30, 35, 40, 41, 42, 43, 44, 45}) {
    request.throwIfStopped();
    const scene::Camera camera = volume.cameraAt(degrees);
    std::vector<float> whole;
    volume.frame(camera, side, 2, box.min[2], box.max[2], whole);
    const std::vector<float> bent = volume.drawn(*meshes.set, camera, side);
    const double share = scene::besideWeight(box, camera).weight;
    rows.push_back(
        {{"degrees", degrees},
         {"planes", decibels(whole, volume.drawn(*planes.set, camera, side))},
         {"meshes", decibels(whole, bent)},
         {"mixed",
          decibels(whole, share > 0 ? mixed(bent, volume.drawn(*beside.set, camera, side), share) : bent)}});
  }
  return {{"nodes", edge}, {"pixels", side}, {"slabs", kSlabs}, {"dB", std::move(rows)}};
}

Json slabBytes(const Request& request) {
  Json rows = Json::array();
  for (const int edge :
       request.choose<std::vector<int>>({16, 32}, {64, 128}, {64, 128, 256}, {128, 256, 512})) {
    request.throwIfStopped();
    request.say("slabs: bytes of " + std::to_string(edge) + " nodes");
    Volume volume(request, edge);
    const std::uint64_t bytes = volume.slabs(2, edge, true).bytes;
    rows.push_back({{"nodes", edge},
                    {"bytes", bytes},
                    {"bytesPerPixel", static_cast<double>(bytes) / (static_cast<double>(edge) * edge)},
                    {"dataBytes", 4.0 * edge * edge * edge}});
  }
  return rows;
}

Json frameShares(const Request& request) {
  const int edge = request.choose(24, 64, 128, 128), side = request.choose(64, 256, 512, 512);
  Volume volume(request, edge);
  const scene::Camera camera = volume.cameraAt(30);
  Json rows = Json::array();
  for (const std::uint32_t count : {1u, 2u, 4u, 8u}) {
    request.throwIfStopped();
    request.say("slabs: a frame by " + std::to_string(count) + " ranks");
    std::vector<std::uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0u);
    const remote::Planned plan = remote::SlabCosts(volume.facts()).parts(2, ranks);
    std::uint64_t samples = 0, most = 0, packed = 0;
    for (std::uint32_t n = 0; n < count; ++n) {
      std::vector<float> rgba;
      const std::uint64_t taken = volume.frame(camera, side, 2, plan.edges[n], plan.edges[n + 1], rgba);
      samples += taken;
      most = std::max(most, taken);
      for (std::uint32_t other = 0; other < count; ++other) {
        if (other == n) continue;
        const std::size_t row = 4 * static_cast<std::size_t>(side);
        const std::size_t first = static_cast<std::size_t>(side) * other / count,
                          last = static_cast<std::size_t>(side) * (other + 1) / count;
        packed += remote::packRows(std::span(rgba).subspan(row * first, row * (last - first))).size();
      }
    }
    // each rank sends all rows but its own, 16 bits a value
    const double raw = 8.0 * side * side * (count - 1);
    rows.push_back({{"ranks", count},
                    {"samples", samples},
                    {"mostSamplesOfOne", most},
                    {"bytesUnpackedByTheModel", raw},
                    {"bytesSent", packed}});
  }
  return {{"nodes", edge}, {"pixels", side}, {"byRanks", std::move(rows)}};
}

}  // namespace farfield::bench
