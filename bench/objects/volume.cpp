#include "bench/objects/volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

#include "bench/shared/measure.h"
#include "core/base/log.h"
#include "core/fields/samples/sample_data.h"
#ifdef FARFIELD_OPENCL
#include "render/opencl/open_cl.h"
#endif
#include "render/volume/shown_volume.h"

namespace farfield::bench {
namespace {

/// Of a picture.
struct Size {
  int width = 1024, height = 768;
};

/// On all processors at once; returns the sum.
template <class Work>
double perSecond(int processors, Work work) {
  const Stopwatch watch;
  std::vector<std::future<double>> parts;
  for (int n = 0; n < processors; ++n) parts.push_back(std::async(std::launch::async, work));
  double done = 0;
  for (auto& part : parts) done += part.get();
  return done / watch.seconds();
}

/// Bytes per second read from an array that no cache holds.
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

/// Multiplications and additions per second of floats in registers, as compiled.
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

scene::Camera cameraAt(const Bounds& bounds, double turn, Size size = {}) {
  return scene::cameraFor(bounds, {std::cos(turn), std::sin(turn), 0.4}, {0, 0, 1},
                          static_cast<double>(size.width) / size.height);
}

/// From outside into the volume and on to its far side, turning a little: what is near changes with each view.
scene::Camera cameraInFlight(const Bounds& bounds, double part) {
  const Vec3 middle = 0.5 * (bounds.min + bounds.max), size = bounds.max - bounds.min;
  const double angle = 0.3 + 1.2 * part, far = 0.9 - 1.3 * part;
  const Vec3 ahead{-std::cos(angle), -std::sin(angle), -0.25};
  scene::Camera camera = cameraAt(bounds, 0);
  camera.position = middle;
  for (int a = 0; a < 3; ++a) camera.position[a] -= far * size[a] * ahead[a];
  camera.target = camera.position + ahead;
  return camera;
}

/// From opening the data to pictures of it.
struct Show {
  Show(const Request& request, const std::string& url, const volume::DeviceMaker& device, Size pixels = {})
      : size(pixels), stop(request.stop), account(request.memoryBytes) {
    fields::OpenRequest open;
    open.sources = {url};
    data = samples::SampleDataReader().open(open, account);
    plan = std::make_shared<fields::FunctionPlan>(data->description(), std::vector<std::string>{"density"});
    fields::PagedDataOptions options;
    options.arrays = plan->arrays();
    options.processors = request.processors;
    options.cache = fields::sharedCache(account, request.processors);
    paged = std::make_unique<fields::PagedData>(*data, account, options);
    shown = std::make_unique<volume::ShownVolume>(
        volume::ShownParts{.data = *paged,
                           .function = plan,
                           .account = account,
                           .processors = request.processors,
                           .makeDevice = device,
                           .deviceFailed = [](const Error& error) { log::warning(error.what()); }});
  }

  void picture(const scene::VolumeLook& look, const scene::ColorScale& scale, double turn, bool whole) {
    picture(look, scale, cameraAt(shown->bounds(), turn, size), whole);
  }
  void picture(const scene::VolumeLook& look, const scene::ColorScale& scale, const scene::Camera& camera,
               bool whole) {
    rgba.resize(std::size_t{4} * static_cast<std::size_t>(size.width) *
                static_cast<std::size_t>(size.height));
    const scene::VolumeCast cast{.look = look,
                                 .scale = scale,
                                 .camera = camera,
                                 .width = size.width,
                                 .height = size.height,
                                 .rows = size.height,
                                 .from = {},
                                 .to = {},
                                 .whole = whole,
                                 .stop = stop};
    shown->cast(cast, rgba);
  }

  /// Were all in memory.
  std::uint64_t brickBytes() const {
    return static_cast<std::uint64_t>(shown->finest().brickCount()) *
           volume::Brick::bytesOf({volume::BrickType::U8});
  }

  Size size;
  std::stop_token stop;
  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<fields::PagedData> paged;
  std::unique_ptr<volume::ShownVolume> shown;
  std::vector<float> rgba;
};

/// What casts, and its limits: bytes and operations per second (0: unknown).
struct Engine {
  volume::DeviceMaker device = {};
  double bandwidth = 0, operations = 0;
};

/// Decibels over red, green, blue and alpha, with a peak of 1.
double psnrOf(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double difference = static_cast<double>(a[n]) - static_cast<double>(b[n]);
    sum += difference * difference;
  }
  return 10 * std::log10(static_cast<double>(a.size()) / std::max(sum, 1e-12));
}

/// Views along a path, from what the one before has left in memory.
template <class CameraOf>
Json walk(const Request& request, Show& show, const char* path, int views, const scene::VolumeLook& look,
          const scene::ColorScale& scale, const CameraOf& cameraOf) {
  const volume::CastStats before = show.shown->counts().casts;
  Rounds frames;
  for (int n = 0; n < views; ++n) {
    request.throwIfStopped();
    const Stopwatch watch;
    show.picture(look, scale, cameraOf(static_cast<double>(n) / views), true);
    frames.add(watch.seconds());
  }
  const volume::CastStats after = show.shown->counts().casts;
  const std::uint64_t bricks = after.bricks - before.bricks, read = after.bricksRead - before.bricksRead;
  return {{"path", path},
          {"views", views},
          {"framesPerSecond", 1 / frames.median()},
          {"bricks", bricks},
          {"bricksRead", read},
          {"brickHits", bricks > 0 ? 1 - static_cast<double>(read) / static_cast<double>(bricks) : 1.0}};
}

/// The same paths where memory holds but a part of the bricks: what is read again, and what that costs.
Json measurePaths(const Request& request, const std::string& url, const scene::VolumeLook& look,
                  const scene::ColorScale& scale) {
  Json out = Json::array();
  for (const int part : {1, 4}) {
    Request tight = request;
    const std::uint64_t all = Show(request, url, {}).brickBytes();
    // Half of what is free is for bricks; each processor has tiles, and pages that it works on.
    const std::uint64_t rest = std::uint64_t{16 + 4 * static_cast<unsigned>(request.processors)} << 20;
    tight.memoryBytes = std::min(request.memoryBytes, rest + 2 * all / static_cast<unsigned>(part));
    Show show(tight, url, {});
    const int views = request.choose(2, 8, 16, 16);
    const auto turning = [&](double place) { return cameraAt(show.shown->bounds(), 0.7 + 2 * M_PI * place); };
    const auto flying = [&](double place) { return cameraInFlight(show.shown->bounds(), place); };
    request.say("volume: along paths, " + std::to_string(show.account.budgetBytes() >> 20) + " MiB");
    for (Json walked : {walk(tight, show, "orbit", views, look, scale, turning),
                        walk(tight, show, "fly-through", views, look, scale, flying)}) {
      walked["budgetBytes"] = show.account.budgetBytes();
      walked["bytesOfAllBricks"] = all;
      walked["budgetPeakBytes"] = show.account.peakBytes();
      out.push_back(std::move(walked));
    }
  }
  return out;
}

/// `last`: the last picture of the processors, for comparison; they set it, and a device is not compared with none.
Json measure(const Request& request, const std::string& url, const char* name, scene::VolumeLook look,
             const scene::ColorScale& scale, const Engine& engine, std::vector<float>& last, Size size = {}) {
  request.say(std::string("volume: ") + name + " of " + url + (engine.device ? " on a device" : ""));
  const Stopwatch cold;
  Show show(request, url, engine.device, size);
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
  Json out = {{"look", name},
              {"engine", after.engine},
              {"device", after.device},
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
              {"secondsOfFrames", frames.values()},
              {"cameras", std::move(cameras)},
              {"budgetBytes", show.account.budgetBytes()},
              {"budgetPeakBytes", show.account.peakBytes()}};
  // eight values of a byte for each sample, if none were in a cache; about 90 operations
  double busy = perSample;
  if (after.kernelSeconds > before.kernelSeconds) {
    const double kernel = (after.kernelSeconds - before.kernelSeconds) / views;
    out["kernelSecondsPerFrame"] = kernel;
    busy = samples / kernel;
  }
  out["bytesOfBandwidth"] = 8 * busy / engine.bandwidth;
  if (engine.operations > 0) out["operationsOfArithmetic"] = 90 * busy / engine.operations;
  if (!engine.device)
    last = show.rgba;
  else if (!last.empty())
    out["psnrToProcessors"] = psnrOf(show.rgba, last);
  return out;
}

#ifdef FARFIELD_OPENCL
/// The device of "engine": "opencl" and its limits; none if there is none, with the reason.
Engine deviceEngine(const Request& request, Json& out) {
  const auto openCl = std::make_shared<opencl::OpenCl>(opencl::OpenCl::Options{.notice = log::warning});
  try {
    request.say("volume: measuring the OpenCL device");
    const opencl::OpenCl::Description device = openCl->describe();
    const std::size_t bytes = std::min<std::uint64_t>(
        request.choose<std::size_t>(1 << 20, 64 << 20, 256 << 20, 1 << 30), device.facts.largestBytes / 2);
    const double bandwidth = opencl::measureBandwidth(opencl::Device({}, device.facts), bytes);
    out["device"] = {{"name", device.facts.name},
                     {"platform", device.facts.platform},
                     {"samplesPerSecondInBuffer", device.speed.buffer},
                     {"samplesPerSecondInImage", device.speed.image},
                     {"memoryBytesPerSecond", bandwidth}};
    return {openCl->anyDevice(), bandwidth, 0};
  } catch (const volume::DeviceFailed& error) {
    out["device"] = {{"none", error.what()}};
    return {};
  }
}
#endif

std::string signalOf(int nodes) {
  return "sample://marschner-lobb?type=u8&edge=32&size=" + std::to_string(nodes);
}

/// Square pictures of larger volumes, by the device alone: what a graphics card is asked for.
Json measureSquares(const Request& request, const scene::VolumeLook& thin, const scene::VolumeLook& lit,
                    const scene::ColorScale& scale, const Engine& engine) {
  Json out = Json::array();
  for (const int nodes : {512, 1024})
    for (const auto& [name, look] : {std::pair{"thin", &thin}, std::pair{"dense and lit", &lit}}) {
      std::vector<float> none;
      Json row = measure(request, signalOf(nodes), name, *look, scale, engine, none, {1024, 1024});
      row.erase("cameras");
      row["nodesAlongEachAxis"] = nodes;
      out.push_back(std::move(row));
    }
  return out;
}

}  // namespace

Json runVolume(const Request& request) {
  const OnProcessors only(request.processors);
  const int nodes = request.choose(48, 128, 256, 512);
  Json out;
  const Engine processors{{},
                          memoryBandwidth(request.processors, request.choose<std::size_t>(
                                                                  1 << 20, 64 << 20, 256 << 20, 256 << 20)),
                          arithmetic(request.processors)};
  Engine device;
#ifdef FARFIELD_OPENCL
  device = deviceEngine(request, out);
#endif
  const std::string url = signalOf(nodes);
  scene::ColorScale scale;
  scale.max = 255;
  scene::VolumeLook thin, dense, surface;
  thin.opacity = {{100, 0}, {255, 0.05}};
  dense.opacity = {{128, 0}, {170, 0.3}, {255, 0.8}};
  surface.opacity = {{0, 1}};
  surface.mode = scene::VolumeMode::Isosurface;
  surface.value = 128;
  Json results = Json::array(), onDevice = Json::array();
  const auto add = [&](const char* name, const scene::VolumeLook& look) {
    std::vector<float> last;
    const Json byProcessors = measure(request, url, name, look, scale, processors, last);
    results.push_back(byProcessors);
    if (!device.device) return;
    Json byDevice = measure(request, url, name, look, scale, device, last);
    byDevice["framesOfProcessors"] =
        byDevice["framesPerSecond"].get<double>() / byProcessors["framesPerSecond"].get<double>();
    byDevice.erase("cameras");
    onDevice.push_back(std::move(byDevice));
  };
  add("thin", thin);
  add("dense", dense);
  dense.lit = true;
  add("dense and lit", dense);
  add("isosurface", surface);
  if (device.device && request.extent == Extent::Full)
    out["squarePicturesOnDevice"] = measureSquares(request, thin, dense, scale, device);
  dense.lit = false;
  out["paths"] = measurePaths(request, url, dense, scale);
  out["what"] =
      "pictures of 1024 x 768 of the Marschner-Lobb signal, one byte for each node, one sample for each "
      "voxel; "
      "cold: from opening, the values computed as they are read";
  out["nodesAlongEachAxis"] = nodes;
  out["instructions"] = volume::marchTarget();
  out["memoryBytesPerSecond"] = processors.bandwidth;
  out["operationsPerSecond"] = processors.operations;
  out["results"] = std::move(results);
  if (!onDevice.empty()) out["resultsOnDevice"] = std::move(onDevice);
  return out;
}

}  // namespace farfield::bench
