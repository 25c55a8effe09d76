#include "bench/slabs.h"

#include <algorithm>

#include "bench/measure.h"
#include "bench/store_set.h"
#include "core/fields/samples/sample.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabd/slab_loader.h"
#include "remote/slabd/slab_painter.h"

namespace farfield::bench {
namespace {

constexpr int kPixels = 512;
constexpr std::uint32_t kSlabs = 8;
/// Reading takes so much longer than rendering: neither hides the other.
constexpr double kLoadOverRender = 1.25;

/// A rank that has all slabs.
class Rank {
 public:
  Rank(const Request& request, const StoreImage& image, std::int64_t steps)
      : m_steps(steps),
        m_account(request.memoryBytes),
        m_painter(image, m_account, {request.processors, request.folder}) {
    m_show.by = "velocity-x";
    m_show.axis = 2;
    m_show.pixels = kPixels;
    m_show.mesh = false;
    m_show.look.opacity = {{-2, 0.1}, {0, 0}, {2, 0.1}};
    m_show.look.unitLength = 0.1;
    m_show.scale.min = -2;
    m_show.scale.max = 2;
    m_plan = remote::SlabCosts(m_painter.facts()).slabs(m_show.axis, kSlabs, {0});
    for (std::size_t n = 0; n < kSlabs; ++n) m_parts.push_back({m_plan.edges[n], m_plan.edges[n + 1]});
  }

  double load(std::int64_t step) {
    const Stopwatch watch;
    loading(step)({});
    return watch.seconds();
  }
  double render(std::int64_t step) {
    const Stopwatch watch;
    m_show.step = step;
    for (std::uint32_t n = 0; n < kSlabs; ++n) {
      const remote::PaintedSlab slab = m_painter.slab(m_show, n, m_parts[n][0], m_parts[n][1], {});
      for (const std::uint8_t value : slab.rgba) m_sum += value;
    }
    return watch.seconds();
  }
  /// All steps, the next read while one is rendered.
  double overlapped() {
    const Stopwatch watch;
    remote::SlabLoader loader;
    load(0);
    for (std::int64_t step = 0; step < m_steps; ++step) {
      if (step + 1 < m_steps) loader.start(loading(step + 1), static_cast<std::uint64_t>(step + 1));
      render(step);
      loader.wait();
    }
    return watch.seconds();
  }
  std::uint64_t sum() const { return m_sum; }
  std::uint64_t peakBytes() const { return m_account.peakBytes(); }

 private:
  remote::SlabPainter::Load loading(std::int64_t step) {
    return m_painter.load(m_show, m_show.axis, step, m_parts);
  }

  const std::int64_t m_steps;
  MemoryAccount m_account;
  remote::SlabPainter m_painter;
  remote::ShowRequest m_show;
  remote::Planned m_plan;
  std::vector<std::array<double, 2>> m_parts;
  std::uint64_t m_sum = 0;
};

}  // namespace

Json runSlabs(const Request& request) {
  const int edge = request.choose(24, 64, 128, 192);
  const std::int64_t steps = request.choose(2, 5, 10, 10);
  const int rounds = request.choose(1, 3, 5, 5);
  samples::SampleOptions sample;
  sample.size = {edge, edge, edge};
  sample.steps = static_cast<int>(steps);
  const auto data = samples::makeSample("turbulence", sample);
  StoreSet stores(request, *data);
  StoreImage& image = stores.image(32, paging::Codec::None);

  request.say("slabs: rendering alone");
  Rounds alone;
  std::uint64_t bytesOfStep = image.fileBytes() / static_cast<std::uint64_t>(steps);
  {
    Rank rank(request, image, steps);
    for (std::int64_t step = 0; step < steps; ++step) {
      rank.load(step);
      alone.add(rank.render(step));
    }
  }
  Device device;
  device.name = "modelled";
  device.bytesPerSecond = static_cast<double>(bytesOfStep) / (kLoadOverRender * alone.median());
  image.setDevice(device);

  Rounds loads, renders, serial, overlapped, ofModel;
  std::uint64_t peak = 0;
  bool equal = true;
  for (int round = 0; round < rounds; ++round) {
    request.throwIfStopped();
    request.say("slabs: round " + std::to_string(round + 1));
    Rounds load, render;
    Rank inTurn(request, image, steps);
    const Stopwatch watch;
    for (std::int64_t step = 0; step < steps; ++step) {
      load.add(inTurn.load(step));
      render.add(inTurn.render(step));
    }
    serial.add(watch.seconds());
    Rank atOnce(request, image, steps);
    overlapped.add(atOnce.overlapped());
    equal = equal && inTurn.sum() == atOnce.sum();
    loads.add(load.median());
    renders.add(render.median());
    const double slower = std::max(load.median(), render.median()),
                 faster = std::min(load.median(), render.median());
    ofModel.add(static_cast<double>(steps) * slower + faster);
    peak = std::max(peak, atOnce.peakBytes());
  }
  Json row{{"nodes", {edge, edge, edge}},
           {"steps", steps},
           {"slabs", kSlabs},
           {"deviceBytesPerSecond", device.bytesPerSecond},
           {"loadSeconds", loads.median()},
           {"renderSeconds", renders.median()},
           {"serialSeconds", serial.median()},
           {"overlappedSeconds", overlapped.median()},
           {"modelSeconds", ofModel.median()},
           {"overlappedOfModel", medianRatio(overlapped, ofModel)},
           {"overlappedOfSerial", medianRatio(overlapped, serial)},
           {"budgetPeakBytes", peak},
           {"equalSums", equal}};
  return {{"results", Json::array({std::move(row)})}};
}

}  // namespace farfield::bench
