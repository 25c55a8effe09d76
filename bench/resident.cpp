#include "bench/resident.h"

#include "bench/array_data.h"
#include "bench/line_digest.h"
#include "bench/measure.h"
#include "core/base/error.h"
#include "core/fields/box_data.h"
#include "core/fields/paged_data.h"
#include "core/fields/samples/sample.h"
#include "core/flow/seeds.h"

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

/// The lines of one run, and what they cost.
struct Traced {
  std::vector<std::uint64_t> hashes;  ///< by seed and direction
  std::uint64_t vertices = 0;
  double wallSeconds = 0, cpuSeconds = 0;
};

using MakeSampler = std::function<std::unique_ptr<fields::Sampler>(tasks::TaskContext&)>;

Traced trace(tasks::Scheduler& scheduler, tasks::Admission* admission, const flow::SeedSet& seeds,
             const flow::LineOptions& options, const MakeSampler& makeSampler, std::stop_token stop) {
  Traced result;
  const std::size_t count = 2 * seeds.count();
  result.hashes.resize(count);
  std::vector<std::uint64_t> vertices(count);
  tasks::TaskGroup group;
  group.name = "lines";
  group.count = count;
  group.admission = admission;
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const std::unique_ptr<fields::Sampler> sampler = makeSampler(context);
    flow::SteadyField field(*sampler);
    LineDigest digest;
    flow::traceLine(field, seeds.at(n / 2), n % 2 == 0 ? 1 : -1, options, context, digest);
    result.hashes[n] = digest.hash();
    vertices[n] = digest.vertices();
  };
  const double cpu = processCpuSeconds();
  const Stopwatch watch;
  scheduler.run(group, stop);
  result.wallSeconds = watch.seconds();
  result.cpuSeconds = processCpuSeconds() - cpu;
  for (const std::uint64_t each : vertices) result.vertices += each;
  return result;
}

/// Seeds all over the inside of the data (of an O-grid, too), off the grid's planes of symmetry.
std::unique_ptr<flow::SeedSet> seedsIn(const Bounds& bounds, std::int64_t perAxis) {
  const Vec3 extent = bounds.max - bounds.min;
  return flow::boxSeeds(bounds.min + 0.27 * extent, bounds.max - 0.31 * extent, {perAxis, perAxis, perAxis});
}

void measureCase(const Request& request, const Case& its, int edge, Json& results) {
  request.say(std::string("resident: ") + its.name + ", pages of " + std::to_string(edge));
  samples::SampleOptions sample;
  const std::int64_t nodes = request.choose<std::int64_t>(17, 65, 129, 193);
  sample.size = {nodes, nodes, nodes};
  sample.blocks = its.blocks;
  sample.curvilinear = its.curvilinear;
  MemoryAccount arrayAccount(request.memoryBytes), pageAccount(request.memoryBytes);
  const std::shared_ptr<paging::MemoryReader> values =
      paging::MemoryReader::copyOf(*samples::makeSample(its.sample, sample), arrayAccount);
  const auto functions = std::make_shared<const fields::FunctionPlan>(values->description(),
                                                                      std::vector<std::string>{"velocity"});
  const ArrayData arrays(values, functions, arrayAccount);
  const auto seeds = seedsIn(arrays.bounds(), request.choose<std::int64_t>(2, 5, 7, 9));
  flow::LineOptions options;
  options.maxLength = 3 * arrays.bounds().diagonal();
  options.maxSteps = request.choose<std::int64_t>(50, 1000, 2000, 4000);

  const auto opened =
      fields::openBoxes(values, {.pageEdge = edge, .threads = false, .name = its.name}, {}, pageAccount);
  std::vector<int> processorCounts{1};
  if (request.processors > 1) processorCounts.push_back(request.processors);
  for (const int processors : processorCounts) {
    fields::PagedDataOptions paging;
    paging.arrays = functions->arrays();
    paging.processors = processors;
    fields::PagedData paged(*opened, pageAccount, paging);
    const auto pagedScheduler = paged.makeScheduler();
    const auto arrayScheduler = tasks::makeScheduler(
        {.processors = processors, .workersPerProcessor = paged.plan().tasksPerProcessor});
    const auto throughPages = [&] {
      return trace(
          *pagedScheduler, &paged.admission(), *seeds, options,
          [&](tasks::TaskContext& context) { return paged.makeSampler(context, functions, 0); },
          request.stop);
    };
    const auto overArrays = [&] {
      return trace(
          *arrayScheduler, nullptr, *seeds, options,
          [&](tasks::TaskContext&) { return std::make_unique<ArraySampler>(arrays); }, request.stop);
    };
    // The first run brings the pages; from then on everything that the lines touch is resident.
    const Traced first = throughPages();
    const paging::PoolCounters before = paged.pool().counters();
    Rounds pagedCpu, arrayCpu, pagedWall, arrayWall;
    bool equal = true;
    for (int round = 0; round < request.choose(1, 3, 5, 9); ++round) {
      request.throwIfStopped();
      const Traced plain = overArrays(), inPages = throughPages();
      equal = equal && plain.hashes == inPages.hashes && plain.hashes == first.hashes;
      arrayCpu.add(plain.cpuSeconds);
      arrayWall.add(plain.wallSeconds);
      pagedCpu.add(inPages.cpuSeconds);
      pagedWall.add(inPages.wallSeconds);
    }
    const paging::PoolCounters after = paged.pool().counters();
    if (after.evictions > 0)
      throw Invalid("the budget does not hold the data in pages", "give more --memory");
    results.push_back({{"case", its.name},
                       {"nodes", nodes},
                       {"blocks", its.blocks},
                       {"pageEdge", edge},
                       {"processors", processors},
                       {"lines", first.hashes.size()},
                       {"vertices", first.vertices},
                       {"pagesCpuSeconds", pagedCpu.least()},
                       {"arraysCpuSeconds", arrayCpu.least()},
                       {"pagesWallSeconds", pagedWall.least()},
                       {"arraysWallSeconds", arrayWall.least()},
                       {"cpuRatio", pagedCpu.least() / arrayCpu.least()},
                       {"wallRatio", pagedWall.least() / arrayWall.least()},
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
  out["what"] =
      "tracing lines with everything resident, least of the rounds; limit: the same over plain arrays";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
