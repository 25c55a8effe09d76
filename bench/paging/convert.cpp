#include "bench/paging/convert.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "bench/shared/disk.h"
#include "bench/shared/measure.h"
#include "core/fields/samples/sample.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/pages/page_edge.h"
#include "core/tasks/loop_threads.h"
#include "plugins/plot3d/plot3d_export.h"
#include "plugins/plot3d/plot3d_reader.h"

namespace farfield::bench {
namespace {

constexpr double kMega = 1e6;
/// Conversion streams, so more memory does not help it.
constexpr std::uint64_t kBudgetBytes = std::uint64_t{200} << 20;

struct CodecRate {
  double bytesPerSecond = 0;
  double ratio = 1;
};

/// Encodes pages of the middle block, of all its arrays in turn, with `processors` threads.
CodecRate codecRate(const paging::BoxReader& input, int edge, int processors, std::uint64_t enoughBytes) {
  const paging::DatasetDescription& data = input.description();
  std::vector<std::vector<std::byte>> pages;
  std::vector<int> elementBytes;
  for (std::uint32_t n = 0; n < data.arrays.size(); ++n) {
    const paging::ArrayDescription& array = data.arrays[n];
    if (array.block != static_cast<int>(data.blocks.size() / 2)) continue;
    const paging::PageLayout layout = paging::PageLayout::even(array.layout.dims(), edge);
    for (std::int64_t page = 0; page < std::min<std::int64_t>(layout.pageCount(), 400); ++page) {
      const IndexBox box = layout.box(page);
      pages.emplace_back(static_cast<std::size_t>(product(box.size) * array.nodeBytes()));
      input.read(n, 0, box, pages.back());
      elementBytes.push_back(sizeOf(array.type));
    }
  }
  std::uint64_t raw = 0;
  for (const auto& page : pages) raw += page.size();
  std::atomic<std::uint64_t> stored{0};
  const auto rounds = static_cast<int>(1 + enoughBytes / raw);
  tasks::LoopThreads threads(processors);
  const Stopwatch watch;
  for (int round = 0; round < rounds; ++round)
    threads.forPieces(static_cast<std::int64_t>(pages.size()), 1, [&](std::int64_t piece, std::int64_t) {
      const auto n = static_cast<std::size_t>(piece);
      thread_local paging::Scratch scratch, out;
      out.resize(paging::encodedBound(paging::Codec::Zstd, pages[n].size()));
      stored += paging::encode(paging::Codec::Zstd, elementBytes[n], pages[n], out, scratch);
    });
  const double encoded = static_cast<double>(raw) * rounds;
  return {encoded / watch.seconds(), encoded / static_cast<double>(stored.load())};
}

Json measure(const Request& request, const char* name) {
  request.say(std::string("convert: ") + name);
  const std::uint64_t bytes = request.choose<std::uint64_t>(2, 300, 1000, 4000) * 1'000'000;
  const WorkFolder folder(request.folder);
  samples::SampleOptions options;
  options.curvilinear = true;
  options.blocks = 4;
  // Coordinates and conserved variables in float32, and iblank.
  const auto side = static_cast<std::int64_t>(std::cbrt(static_cast<double>(bytes) / (4.0 * 36)));
  options.size = {side, side, side};
  const auto sample = samples::makeSample(name, options);
  plot3d::writePlot3d(*sample, folder / "data", {.stop = request.stop});
  const auto files = plot3d::plot3dFiles(sample->description(), folder / "data");
  std::uint64_t inputBytes = 0;
  for (const auto& file : files) inputBytes += std::filesystem::file_size(file);

  const plot3d::Plot3dReader input({{files[0]}, {files[1]}});
  paging::ConvertOptions convert;
  convert.pageEdge = paging::pageEdgeFor(input.description());
  convert.processors = request.processors;
  convert.stop = request.stop;
  const double read = sequentialReadRate(files[1]);
  const double write = sequentialWriteRate(folder / "written", inputBytes / 2);
  const CodecRate codec = codecRate(input, *convert.pageEdge, request.processors, 400 * inputBytes / 1000);

  MemoryAccount account(std::min(request.memoryBytes, kBudgetBytes));
  bool cold = true;
  for (const auto& file : files) cold = makeCold(file) && cold;
  const Stopwatch watch;
  const double cpu = processCpuSeconds();
  const paging::ConvertResult result = paging::convert(input, folder / "store.h5", convert, account);
  const double seconds = watch.seconds(), cpuSeconds = processCpuSeconds() - cpu;

  const double conversion = static_cast<double>(inputBytes) / seconds;
  // by the codec's ratio, less is written than read
  const double writeLimit = write * static_cast<double>(inputBytes) / static_cast<double>(result.storedBytes);
  const double limit = std::min({read, writeLimit, codec.bytesPerSecond});
  return {{"sample", name},
          {"pageEdge", *convert.pageEdge},
          {"codec", paging::nameOf(convert.codec)},
          {"processors", request.processors},
          {"coldInput", cold},
          {"inputBytes", inputBytes},
          {"storedBytes", result.storedBytes},
          {"diskReadMBps", read / kMega},
          {"diskWriteMBps", write / kMega},
          {"codecMBps", codec.bytesPerSecond / kMega},
          {"codecRatio", codec.ratio},
          {"convertSeconds", seconds},
          {"convertCpuSeconds", cpuSeconds},
          {"convertMBps", conversion / kMega},
          {"limitMBps", limit / kMega},
          {"shareOfLimit", conversion / limit},
          {"budgetBytes", account.budgetBytes()},
          {"budgetPeakBytes", account.peakBytes()}};
}

}  // namespace

Json runConvert(const Request& request) {
  Json results = Json::array();
  for (const char* name : {"cylinder", "turbulence"}) {
    request.throwIfStopped();
    results.push_back(measure(request, name));
  }
  Json out;
  out["what"] = "PLOT3D into a store; limit: the slowest of reading, writing what is stored, and encoding";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
