#include "bench/slabs/slabs.h"

#include <algorithm>

#include "bench/shared/measure.h"
#include "bench/shared/store_set.h"
#include "bench/slabs/slab_inputs.h"
#include "bench/slabs/slab_pictures.h"
#include "bench/slabs/slab_rank.h"
#include "core/fields/samples/sample.h"

namespace farfield::bench {
namespace {

/// Reading takes so much longer than rendering: neither hides the other.
constexpr double kLoadOverRender = 1.25;

}  // namespace

Json runSlabs(const Request& request) {
  const int edge = request.choose(24, 64, 128, 192);
  const std::int64_t steps = request.choose(2, 5, 10, 10);
  const int rounds = request.choose(1, 3, 5, 5);
  samples::SampleOptions sample;
  sample.size = {edge, edge, edge};
  // the first steps of a sweep are read by nobody ahead
  const std::int64_t swept = request.choose(3, 12, 16, 16);
  sample.steps = static_cast<int>(std::max(steps, swept));
  const auto data = samples::makeSample("turbulence", sample);
  StoreSet stores(request, *data);
  StoreImage& image = stores.image(32, paging::Codec::None);

  request.say("slabs: rendering alone");
  Rounds alone;
  std::uint64_t bytesOfStep = image.fileBytes() / static_cast<std::uint64_t>(sample.steps);
  {
    SlabRank rank(request, image, steps);
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
    SlabRank inTurn(request, image, steps);
    const Stopwatch watch;
    for (std::int64_t step = 0; step < steps; ++step) {
      load.add(inTurn.load(step));
      render.add(inTurn.render(step));
    }
    serial.add(watch.seconds());
    SlabRank atOnce(request, image, steps);
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
           {"slabs", kSlabsOfRank},
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
  Json sweep = sweepInputs(request, image, swept, alone.median());
  return {{"results", Json::array({std::move(row)})},
          {"inputRanks", std::move(sweep)},
          {"angles", slabAngles(request)},
          {"shares", frameShares(request)}};
}

}  // namespace farfield::bench
