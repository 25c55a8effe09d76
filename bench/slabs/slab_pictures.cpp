#include "bench/slabs/slab_pictures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "bench/slabs/slab_volume.h"
#include "core/scene/slab_rays.h"
#include "remote/slabd/slab_costs.h"

namespace farfield::bench {
namespace {

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
  SlabVolume volume(request, edge);
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
  return {{"nodes", edge}, {"pixels", side}, {"slabs", kSlabsOfVolume}, {"dB", std::move(rows)}};
}

Json slabBytes(const Request& request) {
  Json rows = Json::array();
  for (const int edge :
       request.choose<std::vector<int>>({16, 32}, {32, 64, 128}, {128, 256, 512}, {128, 256, 512})) {
    request.throwIfStopped();
    request.say("slabs: bytes of " + std::to_string(edge) + " nodes");
    SlabVolume volume(request, edge);
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
  SlabVolume volume(request, edge);
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
