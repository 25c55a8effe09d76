#include "bench/pages.h"

#include <algorithm>

#include "bench/line_job.h"
#include "bench/store_set.h"
#include "core/fields/samples/sample.h"

namespace farfield::bench {
namespace {

using namespace std::chrono_literals;

/// What the figures stand for, not one product: a flash disk on PCIe, one on SATA, a file server in the
/// house, a server far away over a link of 1 Gbit/s.
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

void measureData(const Request& request, const std::string& name, Json& results) {
  const auto data = dataOf(name, request.choose<std::int64_t>(17, 65, 129, 193));
  StoreSet stores(request, *data);
  LineJob job;
  Bounds bounds;
  for (const paging::BlockDescription& block : data->description().blocks) bounds.add(block.bounds);
  job.seeds = seedsIn(bounds, request.choose<std::int64_t>(2, 4, 6, 8));
  job.options.maxLength = 2 * bounds.diagonal();
  job.options.maxSteps = request.choose<std::int64_t>(50, 200, 1000, 2000);
  const std::uint64_t all = decodedBytes(data->description());
  const bool tiny = request.extent == Extent::Tiny;
  const bool everything = request.extent >= Extent::Normal;
  const std::vector<paging::Codec> codecs =
      everything
          ? std::vector{paging::Codec::None, paging::Codec::Lz4, paging::Codec::Zstd, paging::Codec::Gzip}
          : std::vector{paging::Codec::None, paging::Codec::Zstd};
  std::vector<std::uint64_t> expected;
  for (const int edge : tiny         ? std::vector{8}
                        : everything ? std::vector{8, 16, 32, 64}
                                     : std::vector{8, 16, 32})
    for (const paging::Codec codec : codecs) {
      StoreImage& image = stores.image(edge, codec);
      for (const Device& device : devices())
        for (const std::uint64_t budget : {all / 8, 2 * all}) {
          request.throwIfStopped();
          request.say("pages: " + name + ", edge " + std::to_string(edge) + ", " + paging::nameOf(codec) +
                      ", " + device.name);
          image.setDevice(device);
          fields::PagedDataOptions options;
          options.processors = request.processors;
          options.readers = device.concurrent > 0 ? std::min(device.concurrent, 64) : 16;
          MemoryAccount account(std::max<std::uint64_t>(budget, 8 << 20));
          const PagedLineRun run = tracePaged(image, account, options, job, request.stop);
          if (expected.empty()) expected = run.lines.hashes;
          results.push_back(
              {{"data", name},
               {"decodedBytes", all},
               {"pageEdge", edge},
               {"codec", paging::nameOf(codec)},
               {"storedBytes", image.fileBytes()},
               {"convertSeconds", stores.convertSeconds(edge, codec)},
               {"device", device.name},
               {"budgetBytes", account.budgetBytes()},
               {"wallSeconds", run.lines.wallSeconds},
               {"cpuSeconds", run.lines.cpuSeconds},
               {"reads", run.source.reads},
               {"bytesRead", run.source.bytesRead},
               {"linkSeconds", device.bytesPerSecond > 0
                                   ? static_cast<double>(run.source.bytesRead) / device.bytesPerSecond
                                   : 0},
               {"evictions", run.pool.evictions},
               {"bitIdentical", run.lines.hashes == expected}});
        }
    }
}

}  // namespace

Json runPages(const Request& request) {
  Json results = Json::array();
  measureData(request, "abc", results);
  if (request.extent >= Extent::Normal) measureData(request, "turbulence", results);
  Json out;
  out["what"] =
      "streamlines by page edge, codec, device and budget; limit: the bytes over the device's bandwidth";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
