#include "bench/shared/line_job.h"

#include <algorithm>

#include "bench/shared/line_digest.h"
#include "bench/shared/measure.h"

namespace farfield::bench {

Bounds boundsOf(const paging::DatasetDescription& data) {
  Bounds bounds;
  for (const paging::BlockDescription& block : data.blocks) bounds.add(block.bounds);
  return bounds;
}

std::shared_ptr<const flow::SeedSet> seedsIn(const Bounds& bounds, std::int64_t perAxis) {
  const Vec3 extent = bounds.max - bounds.min;
  return flow::boxSeeds(bounds.min + 0.27 * extent, bounds.max - 0.31 * extent, {perAxis, perAxis, perAxis});
}

LineRun trace(tasks::Scheduler& scheduler, tasks::Admission* admission, const LineJob& job,
              const MakeSampler& makeSampler, std::stop_token stop) {
  LineRun result;
  const std::size_t perStep = 2 * job.seeds->count();
  result.hashes.resize(perStep * static_cast<std::size_t>(job.steps));
  std::vector<std::uint64_t> vertices(result.hashes.size());
  const double cpu = processCpuSeconds(), stolen = stolenSeconds();
  const Stopwatch watch;
  for (std::int64_t step = 0; step < job.steps; ++step) {
    tasks::TaskGroup group;
    group.name = "lines";
    group.count = perStep;
    group.admission = admission;
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      const std::unique_ptr<fields::Sampler> sampler = makeSampler(context);
      flow::SampledField field(*sampler, {step});
      LineDigest digest;
      flow::traceLine(field, job.seeds->at(n / 2, {}), n % 2 == 0 ? 1 : -1, job.options, context, digest);
      const std::size_t line = perStep * static_cast<std::size_t>(step) + n;
      result.hashes[line] = digest.hash();
      vertices[line] = digest.vertices();
    };
    const tasks::GroupResult cost = scheduler.run(group, stop);
    result.waits += cost.waits;
    result.mostInFlight = std::max(result.mostInFlight, cost.mostInFlight);
    result.longestMissChain += cost.longestWaitChain;
  }
  result.wallSeconds = watch.seconds();
  result.cpuSeconds = processCpuSeconds() - cpu;
  result.stolenSeconds = stolenSeconds() - stolen;
  for (const std::uint64_t each : vertices) result.vertices += each;
  return result;
}

PagedLineRun tracePaged(const fields::OpenData& data, MemoryAccount& account,
                        const fields::PagedDataOptions& options, const LineJob& job, std::stop_token stop) {
  const auto functions = std::make_shared<const fields::FunctionPlan>(data.description(), job.functions);
  fields::PagedDataOptions paging = options;
  paging.arrays = functions->arrays();
  paging.resultBytesPerTask = fields::PagedData::samplerBytes(*functions);
  fields::PagedData paged(data, account, paging);
  PagedLineRun run;
  run.processors = paged.plan().processors;
  run.tasksPerProcessor = paged.plan().tasksPerProcessor;
  run.lines = trace(
      *paged.makeScheduler(), &paged.admission(), job,
      [&](tasks::TaskContext& context) { return paged.makeSampler(context, functions); }, stop);
  run.cache = paged.cache().counters();
  run.source = paged.sourceCounters();
  return run;
}

}  // namespace farfield::bench
