#include "bench/paging/pages.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "bench/shared/line_job.h"
#include "bench/shared/slice_job.h"
#include "bench/shared/store_set.h"
#include "core/fields/samples/sample.h"

namespace farfield::bench {
namespace {

using namespace std::chrono_literals;

/// Typical figures, not of single products: a flash disk on PCIe, one on SATA, a file server in the building,
/// a distant server over a link of 1 Gbit/s.
std::vector<Device> devices() {
  return {{"memory", 0ns, 0, 0},
          {"nvme", 80us, 2.5e9, 64},
          {"sata", 150us, 5e8, 32},
          {"server", 1ms, 1.1e9, 64},
          {"link", 25ms, 1.15e8, 256}};
}

std::unique_ptr<paging::BoxReader> dataOf(const std::string& name, std::int64_t nodes) {
  samples::SampleOptions options;
  options.size = {nodes, nodes, nodes};
  options.curvilinear = name == "abc";
  options.blocks = options.curvilinear ? 4 : 1;
  return samples::makeSample(name, options);
}

std::uint64_t decodedBytes(const paging::DatasetDescription& description) {
  std::uint64_t bytes = 0;
  for (const paging::ArrayDescription& array : description.arrays)
    bytes += static_cast<std::uint64_t>(product(array.layout.dims()) * array.nodeBytes());
  return bytes;
}

std::vector<paging::Codec> codecsOf(const Request& request) {
  if (request.extent < Extent::Normal) return {paging::Codec::None, paging::Codec::Zstd};
  return {paging::Codec::None, paging::Codec::Lz4, paging::Codec::Zstd, paging::Codec::Gzip};
}

std::vector<int> edgesOf(const Request& request) {
  if (request.extent == Extent::Tiny) return {8};
  if (request.extent == Extent::Quick) return {8, 16, 32};
  return {8, 16, 32, 64};
}

/// A job on one device.
struct Cost {
  double wallSeconds, cpuSeconds;
  paging::CacheCounters cache;
  paging::SourceCounters source;
  bool bitIdentical;  ///< to the first run of the job
};
using RunJob = std::function<Cost(const StoreImage&, MemoryAccount&, const fields::PagedDataOptions&)>;

/// Runs a job in stores of all edges and codecs, on all devices, with little and with much memory.
void measureStores(const Request& request, const std::string& data, const std::string& job, StoreSet& stores,
                   const paging::DatasetDescription& description, const RunJob& runJob, Json& results) {
  const std::uint64_t all = decodedBytes(description);
  for (const int edge : edgesOf(request))
    for (const paging::Codec codec : codecsOf(request)) {
      StoreImage& image = stores.image(edge, codec);
      for (const Device& device : devices())
        for (const std::uint64_t budget : {all / 8, 2 * all}) {
          request.throwIfStopped();
          request.say("pages: " + job + " through " + data + ", edge " + std::to_string(edge) + ", " +
                      paging::nameOf(codec) + ", " + device.name);
          image.setDevice(device);
          fields::PagedDataOptions options;
          options.processors = request.processors;
          options.readers = device.concurrent > 0 ? std::min(device.concurrent, 64) : 16;
          MemoryAccount account(std::max<std::uint64_t>(budget, 8 << 20));
          const Cost cost = runJob(image, account, options);
          results.push_back(
              {{"data", data},
               {"job", job},
               {"decodedBytes", all},
               {"pageEdge", edge},
               {"codec", paging::nameOf(codec)},
               {"storedBytes", image.fileBytes()},
               {"convertSeconds", stores.convertSeconds(edge, codec)},
               {"device", device.name},
               {"budgetBytes", account.budgetBytes()},
               {"wallSeconds", cost.wallSeconds},
               {"cpuSeconds", cost.cpuSeconds},
               {"reads", cost.source.reads},
               {"bytesRead", cost.source.bytesRead},
               {"linkSeconds", device.bytesPerSecond > 0
                                   ? static_cast<double>(cost.source.bytesRead) / device.bytesPerSecond
                                   : 0},
               {"evictions", cost.cache.evictions},
               {"bitIdentical", cost.bitIdentical}});
        }
    }
}

void measureLines(const Request& request, const std::string& name, Json& results) {
  const auto data = dataOf(name, request.choose<std::int64_t>(17, 65, 129, 193));
  const Bounds bounds = boundsOf(data->description());
  LineJob job;
  job.seeds = seedsIn(bounds, request.choose<std::int64_t>(2, 4, 6, 8));
  job.options.maxLength = 2 * bounds.diagonal();
  job.options.maxSteps = request.choose<std::int64_t>(50, 200, 1000, 2000);
  StoreSet stores(request, *data);
  std::vector<std::uint64_t> expected;
  measureStores(
      request, name, "lines", stores, data->description(),
      [&](const StoreImage& image, MemoryAccount& account, const fields::PagedDataOptions& options) {
        const PagedLineRun run = tracePaged(image, account, options, job, request.stop);
        if (expected.empty()) expected = run.lines.hashes;
        return Cost{run.lines.wallSeconds, run.lines.cpuSeconds, run.cache, run.source,
                    run.lines.hashes == expected};
      },
      results);
}

/// Slices through one number per node: planes along the grid and oblique, one at first sight, and many next
/// to each other.
void measureSlices(const Request& request, const std::string& name, Json& results) {
  const auto data = dataOf(name, request.choose<std::int64_t>(17, 161, 257, 385));
  const Bounds bounds = boundsOf(data->description());
  StoreSet stores(request, *data);
  const struct {
    const char* name;
    Vec3 normal;
    int count;
  } jobs[] = {{"slice across k", {0, 0, 1}, 1},
              {"slice across i", {1, 0, 0}, 1},
              {"slice aslant", {1, 0.4, 0.7}, 1},
              {"moving slice aslant", {1, 0.4, 0.7}, request.choose(2, 6, 32, 32)}};
  for (const auto& each : jobs) {
    const SliceJob job{planesAcross(bounds, each.normal, each.count),
                       data->description().arrays.front().name};
    std::optional<std::uint64_t> expected;
    measureStores(
        request, name, each.name, stores, data->description(),
        [&](const StoreImage& image, MemoryAccount& account, const fields::PagedDataOptions& options) {
          const SliceRun run = slicePaged(image, account, options, job, request.stop);
          if (!expected) expected = run.hash;
          return Cost{run.wallSeconds, run.cpuSeconds, run.cache, run.source, run.hash == *expected};
        },
        results);
  }
}

}  // namespace

Json runPages(const Request& request) {
  Json results = Json::array();
  measureLines(request, "abc", results);
  if (request.extent >= Extent::Normal) measureLines(request, "turbulence", results);
  measureSlices(request, "marschner-lobb", results);
  Json out;
  out["what"] =
      "streamlines and slices by page edge, codec, device and budget; limit: the bytes over the device's "
      "bandwidth";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
