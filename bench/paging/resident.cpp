#include "bench/paging/resident.h"

#include "bench/shared/array_data.h"
#include "bench/shared/disk.h"
#include "bench/shared/line_job.h"
#include "bench/shared/measure.h"
#include "bench/shared/store_image.h"
#include "core/base/error.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/samples/sample.h"
#include "core/paging/ingest/converter.h"

namespace farfield::bench {
namespace {

struct Case {
  const char* name;
  const char* sample;
  bool curvilinear;
  int blocks;
};
constexpr Case kCases[] = {{"regular", "taylor-green", false, 1},
                           {"curvilinear", "abc", true, 2},
                           {"multi-block", "cylinder", true, 4}};

void measureCase(const Request& request, const Case& its, int edge, Json& results) {
  request.say(std::string("resident: ") + its.name + ", pages of " + std::to_string(edge));
  samples::SampleOptions options;
  const std::int64_t nodes = request.choose<std::int64_t>(17, 65, 129, 193);
  options.size = {nodes, nodes, nodes};
  options.blocks = its.blocks;
  options.curvilinear = its.curvilinear;
  const auto sample = samples::makeSample(its.sample, options);
  MemoryAccount arrayAccount(request.memoryBytes);
  const auto values = paging::MemoryReader::copyOf(*sample, arrayAccount);
  const WorkFolder folder(request.folder);
  MemoryAccount convertAccount(request.memoryBytes);
  paging::convert(*values, folder / "store.h5",
                  {.pageEdge = edge, .processors = request.processors, .stop = request.stop}, convertAccount);
  const StoreImage image(folder / "store.h5", {});

  LineJob job;
  const auto functions = std::make_shared<const fields::FunctionPlan>(values->description(), job.functions);
  const ArrayData arrays(values, functions, arrayAccount);
  job.seeds = seedsIn(arrays.bounds(), request.choose<std::int64_t>(2, 5, 7, 9));
  job.options.maxLength = 3 * arrays.bounds().diagonal();
  job.options.maxSteps = request.choose<std::int64_t>(50, 1000, 2000, 4000);
  std::vector<int> processorCounts{1};
  if (request.processors > 1) processorCounts.push_back(request.processors);
  for (const int processors : processorCounts) {
    MemoryAccount pageAccount(request.memoryBytes);
    fields::PagedDataOptions paging;
    paging.arrays = functions->arrays();
    paging.processors = processors;
    fields::PagedData paged(image, pageAccount, paging);
    const auto pagedScheduler = paged.makeScheduler();
    const auto arrayScheduler = tasks::makeScheduler(
        {.processors = processors, .workersPerProcessor = paged.plan().tasksPerProcessor});
    const auto throughPages = [&] {
      return trace(
          *pagedScheduler, &paged.admission(), job,
          [&](tasks::TaskContext& context) { return paged.makeSampler(context, functions); }, request.stop);
    };
    const auto overArrays = [&] {
      return trace(
          *arrayScheduler, nullptr, job,
          [&](tasks::TaskContext&) { return std::make_unique<ArraySampler>(arrays); }, request.stop);
    };
    // the first run reads the pages; after it everything that the lines touch is resident
    const LineRun first = throughPages();
    const paging::CacheCounters before = paged.cache().counters();
    Rounds pagedCpu, arrayCpu, pagedWall, arrayWall;
    bool equal = true;
    for (int round = 0; round < request.choose(1, 15, 15, 15); ++round) {
      request.throwIfStopped();
      const LineRun plain = overArrays(), inPages = throughPages();
      equal = equal && plain.hashes == inPages.hashes && plain.hashes == first.hashes;
      arrayCpu.add(plain.cpuSeconds);
      arrayWall.add(plain.wallSeconds);
      pagedCpu.add(inPages.cpuSeconds);
      pagedWall.add(inPages.wallSeconds);
    }
    const paging::CacheCounters after = paged.cache().counters();
    if (kPagesStay && after.evictions > 0)
      throw Invalid("the budget does not hold the data in pages", "give more --memory");
    results.push_back({{"case", its.name},
                       {"nodes", nodes},
                       {"blocks", its.blocks},
                       {"pageEdge", edge},
                       {"processors", processors},
                       {"lines", first.hashes.size()},
                       {"vertices", first.vertices},
                       {"pagesCpuSeconds", pagedCpu.median()},
                       {"arraysCpuSeconds", arrayCpu.median()},
                       {"pagesWallSeconds", pagedWall.median()},
                       {"arraysWallSeconds", arrayWall.median()},
                       {"cpuRatio", medianRatio(pagedCpu, arrayCpu)},
                       {"wallRatio", medianRatio(pagedWall, arrayWall)},
                       {"bitIdentical", equal},
                       {"missesWhileMeasured", after.misses - before.misses}});
  }
}

}  // namespace

Json runResident(const Request& request) {
  Json results = Json::array();
  for (const Case& each : kCases)
    for (const int edge : request.choose<std::vector<int>>({8}, {16}, {16, 32}, {8, 16, 32, 64}))
      measureCase(request, each, edge, results);
  Json out;
  out["what"] = "tracing lines with everything resident, medians of turns; limit: the same over plain arrays";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
