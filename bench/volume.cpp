#include "bench/volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <numeric>

#include "bench/measure.h"
#include "core/fields/samples/sample_data.h"
#include "render/volume/shown_volume.h"

namespace farfield::bench {
namespace {

constexpr int kWidth = 1024, kHeight = 768;

/// On all processors at once, the sum of what each does.
template <class Work>
double perSecond(int processors, Work work) {
  const Stopwatch watch;
  std::vector<std::future<double>> parts;
  for (int n = 0; n < processors; ++n) parts.push_back(std::async(std::launch::async, work));
  double done = 0;
  for (auto& part : parts) done += part.get();
  return done / watch.seconds();
}

/// Bytes a second read from an array that no cache holds.
double memoryBandwidth(int processors, std::size_t bytes) {
  return perSecond(processors, [bytes] {
    const std::vector<std::uint64_t> numbers(bytes / 8, 1);
    std::uint64_t sum = 0;
    for (int round = 0; round < 4; ++round)
      for (std::size_t n = 0; n < numbers.size(); ++n) sum += numbers[n] ^ static_cast<std::uint64_t>(round);
    // The filling counts as a read and a write less than it is; what is read is known to be used.
    return sum > 0 ? 4.0 * static_cast<double>(bytes) : 0;
  });
}

/// Multiplications and additions a second of floats in registers, as the compiler makes them.
double arithmetic(int processors) {
  return perSecond(processors, [] {
    std::array<float, 64> x{};
    for (std::size_t n = 0; n < x.size(); ++n) x[n] = 1 + static_cast<float>(n) / 64;
    constexpr int kRounds = 4'000'000;
    for (int round = 0; round < kRounds; ++round)
      for (float& v : x) v = v * 0.999F + 0.001F;
    const float sum = std::accumulate(x.begin(), x.end(), 0.0F);
    return sum > 0 ? 2.0 * kRounds * static_cast<double>(x.size()) : 0;
  });
}

scene::Camera cameraAt(const Bounds& bounds, double turn) {
  return scene::cameraFor(bounds, {std::cos(turn), std::sin(turn), 0.4}, {0, 0, 1}, double{kWidth} / kHeight);
}

/// From opening the data to pictures of it.
struct Show {
  Show(const Request& request, const std::string& url) : account(request.memoryBytes) {
    fields::OpenRequest open;
    open.sources = {url};
    data = samples::SampleDataReader().open(open, account);
    plan = std::make_shared<fields::FunctionPlan>(data->description(), std::vector<std::string>{"density"});
    fields::PagedDataOptions options;
    options.arrays = plan->arrays();
    options.processors = request.processors;
    options.cache = fields::sharedCache(account, request.processors);
    paged = std::make_unique<fields::PagedData>(*data, account, options);
    shown = std::make_unique<volume::ShownVolume>(volume::ShownParts{
        .data = *paged, .function = plan, .account = account, .processors = request.processors});
  }

  void picture(const scene::VolumeLook& look, const scene::ColorScale& scale, double turn, bool whole) {
    rgba.resize(std::size_t{4} * kWidth * kHeight);
    const scene::VolumeCast cast{.look = look,
                                 .scale = scale,
                                 .camera = cameraAt(shown->bounds(), turn),
                                 .width = kWidth,
                                 .height = kHeight,
                                 .rows = kHeight,
                                 .whole = whole,
                                 .stop = {}};
    shown->cast(cast, rgba);
  }

  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<fields::PagedData> paged;
  std::unique_ptr<volume::ShownVolume> shown;
  std::vector<float> rgba;
};

Json measure(const Request& request, const std::string& url, const char* name, scene::VolumeLook look,
             const scene::ColorScale& scale, double bandwidth, double operations) {
  request.say(std::string("volume: ") + name + " of " + url);
  const Stopwatch cold;
  Show show(request, url);
  show.picture(look, scale, 0.7, false);
  const double first = cold.seconds();
  show.picture(look, scale, 0.7, true);
  const double final = cold.seconds();
  const volume::ShownCounts before = show.shown->counts();
  Rounds frames;
  const int views = request.choose(2, 6, 12, 24);
  const double cpuBefore = processCpuSeconds();
  for (int n = 0; n < views; ++n) {
    request.throwIfStopped();
    const Stopwatch watch;
    show.picture(look, scale, 0.7 + 2 * M_PI * n / views, true);
    frames.add(watch.seconds());
  }
  const double cpu = processCpuSeconds() - cpuBefore;
  const volume::ShownCounts after = show.shown->counts();
  const auto samples = static_cast<double>(after.casts.samples - before.casts.samples) / views;
  const double perSample = samples / frames.median();
  Json cameras = Json::array();
  for (int n = 0; n < views; ++n) {
    const scene::Camera camera = cameraAt(show.shown->bounds(), 0.7 + 2 * M_PI * n / views);
    cameras.push_back({{"position", {camera.position.x, camera.position.y, camera.position.z}},
                       {"target", {camera.target.x, camera.target.y, camera.target.z}},
                       {"up", {camera.up.x, camera.up.y, camera.up.z}}});
  }
  return {{"look", name},
          {"secondsToFirstPicture", first},
          {"secondsToFinalPicture", final},
          {"framesPerSecond", 1 / frames.median()},
          {"cpuSecondsPerFrame", cpu / views},
          {"samplesPerFrame", samples},
          {"samplesPerSecond", perSample},
          {"bricksRead", after.casts.bricksRead},
          {"brickHits", after.casts.bricks > before.casts.bricks
                            ? 1 - static_cast<double>(after.casts.bricksRead - before.casts.bricksRead) /
                                      static_cast<double>(after.casts.bricks - before.casts.bricks)
                            : 1.0},
          // Eight values of a byte for each sample, were none in a cache; about 90 operations.
          {"bytesOfBandwidth", 8 * perSample / bandwidth},
          {"operationsOfArithmetic", 90 * perSample / operations},
          {"secondsOfFrames", frames.values()},
          {"cameras", std::move(cameras)},
          {"budgetBytes", show.account.budgetBytes()},
          {"budgetPeakBytes", show.account.peakBytes()}};
}

}  // namespace

Json runVolume(const Request& request) {
  const OnProcessors only(request.processors);
  const int nodes = request.choose(48, 128, 256, 512);
  const double bandwidth = memoryBandwidth(
      request.processors, request.choose<std::size_t>(1 << 20, 64 << 20, 256 << 20, 256 << 20));
  const double operations = arithmetic(request.processors);
  const std::string url = "sample://marschner-lobb?type=u8&edge=32&size=" + std::to_string(nodes);
  scene::ColorScale scale;
  scale.max = 255;
  scene::VolumeLook thin, dense, surface;
  thin.opacity = {{100, 0}, {255, 0.05}};
  dense.opacity = {{128, 0}, {170, 0.3}, {255, 0.8}};
  surface.opacity = {{0, 1}};
  surface.mode = scene::VolumeMode::Isosurface;
  surface.value = 128;
  Json results = Json::array();
  results.push_back(measure(request, url, "thin", thin, scale, bandwidth, operations));
  results.push_back(measure(request, url, "dense", dense, scale, bandwidth, operations));
  dense.lit = true;
  results.push_back(measure(request, url, "dense and lit", dense, scale, bandwidth, operations));
  results.push_back(measure(request, url, "isosurface", surface, scale, bandwidth, operations));
  Json out;
  out["what"] =
      "pictures of 1024 x 768 of the Marschner-Lobb signal, one byte for each node, one sample for each "
      "voxel; "
      "cold: from opening, the values computed as they are read";
  out["nodesAlongEachAxis"] = nodes;
  out["instructions"] = volume::marchTarget();
  out["memoryBytesPerSecond"] = bandwidth;
  out["operationsPerSecond"] = operations;
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
