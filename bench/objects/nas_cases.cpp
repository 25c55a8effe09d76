#include "bench/objects/nas_cases.h"

#include <algorithm>
#include <cmath>

#include "core/fields/samples/sample.h"
#include "core/paging/ingest/converter.h"

namespace farfield::bench {
namespace {

constexpr double kMega = 1e6;

struct Shape {
  const char* name;
  const char* sample;
  int blocks;
  /// By extent: steps, megabytes of coordinates and one step's solution, seeds.
  int steps[4];
  double megabytes[4];
  std::int64_t seedsPerAxis[4];
  double diagonals;  ///< longest line
};
constexpr Shape kShapes[] = {
    {"sslv", "cylinder", 9, {1, 1, 1, 1}, {1, 140, 560, 560}, {2, 4, 5, 6}, 1.0},
    {"f18", "tornado", 4, {2, 6, 15, 150}, {1, 20, 33, 33}, {2, 3, 3, 3}, 1.0},
    {"harrier", "abc", 8, {3, 12, 40, 400}, {1, 12, 25, 67}, {2, 3, 3, 4}, 1.0},
};

NasCase make(const Request& request, const Shape& shape, const std::filesystem::path& folder) {
  const auto extent = static_cast<int>(request.extent);
  request.say(std::string("nas: making ") + shape.name);
  samples::SampleOptions options;
  options.curvilinear = true;
  options.blocks = shape.blocks;
  options.steps = shape.steps[extent];
  // Three coordinates and five conserved variables in float32.
  const double nodes = shape.megabytes[extent] * kMega / (8 * sizeof(float)) / shape.blocks;
  const auto side = static_cast<std::int64_t>(std::cbrt(nodes));
  options.size = {side, side, side};
  const auto sample = samples::makeSample(shape.sample, options);

  NasCase made{shape.name, {}, {}};
  made.blocks = options.blocks;
  made.steps = options.steps;
  MemoryAccount account(request.memoryBytes);
  const auto store = [&](const char* name, const char* ending, paging::ConvertOptions how) {
    how.processors = request.processors;
    how.stop = request.stop;
    made.stores.push_back({name, folder / (std::string(shape.name) + ending)});
    return paging::convert(*sample, made.stores.back().path, how, account).storedBytes;
  };
  made.storedBytes = store(kDefaultDisk, ".h5", {});
  store("this disk, plain", "-plain.h5", {.codec = paging::Codec::None});
  store("this disk, pages of 2001", "-2001.h5", {.pageEdge = 8, .codec = paging::Codec::None, .split = true});
  const Bounds bounds = boundsOf(sample->description());
  for (const paging::ArrayDescription& array : sample->description().arrays)
    made.dataBytes +=
        static_cast<std::uint64_t>(array.steps * product(array.layout.dims())) *
        (array.role == paging::ArrayRole::Blanking ? 4 : static_cast<std::uint64_t>(array.nodeBytes()));
  made.job.functions = {"velocity", "pressure"};
  made.job.steps = options.steps;
  made.job.seeds = seedsIn(bounds, shape.seedsPerAxis[extent]);
  made.job.options.maxLength = shape.diagonals * bounds.diagonal();
  made.job.options.maxSteps = request.choose<std::int64_t>(50, 1000, 2000, 2000);
  made.slowJob = made.job;
  made.slowJob.steps = std::min(made.job.steps, request.choose<std::int64_t>(1, 3, 5, 20));
  made.slowJob.seeds = seedsIn(bounds, std::min<std::int64_t>(shape.seedsPerAxis[extent], 3));
  return made;
}

}  // namespace

std::vector<NasCase> makeNasCases(const Request& request, const std::filesystem::path& folder) {
  std::vector<NasCase> cases;
  for (const Shape& shape : kShapes) {
    request.throwIfStopped();
    cases.push_back(make(request, shape, folder));
  }
  return cases;
}

std::vector<Device> nasDevices() {
  using std::chrono::microseconds;
  return {
      // One arm: half a turn at 10,000 rpm takes 3 ms, a seek about 5; 20 MB/s from the surface.
      {"disk-2001", microseconds(8000), 20e6, 1},
      // Eight such disks behind one controller.
      {"raid-2001", microseconds(8000), 80e6, 8},
      // A flash disk on a SATA cable: 6 Gbit/s less its coding, 32 commands at a time.
      {"sata", microseconds(150), 550e6, 32},
      {"nvme", microseconds(80), 3000e6, 256},
      // Disks behind a Gigabit Ethernet.
      {"file-server", microseconds(5000), 118e6, 64},
  };
}

}  // namespace farfield::bench
