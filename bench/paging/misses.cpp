#include "bench/paging/misses.h"

#include <algorithm>

#include "bench/shared/disk.h"
#include "bench/shared/line_job.h"
#include "bench/shared/measure.h"
#include "bench/shared/store_set.h"
#include "core/fields/samples/sample.h"

namespace farfield::bench {
namespace {

struct Setting {
  tasks::SchedulerKind scheduler = tasks::SchedulerKind::Fibers;
  int workers = 64;
  int readers = 16;
  int pageEdge = 16;
  paging::Codec codec = paging::Codec::Zstd;
  double latencyMs = 1;
  /// Off: with it a wait is shorter than the latency, and a chain of waits is not a bound.
  bool prefetch = false;
  int processors = 1;
  auto operator<=>(const Setting&) const = default;
};

/// The base case, with one thing changed in each.
std::vector<Setting> settings(const Request& request) {
  using tasks::SchedulerKind;
  Setting base;
  base.processors = request.processors;
  if (request.extent == Extent::Tiny) {
    base.pageEdge = 8;
    base.latencyMs = 0.2;
  }
  std::vector<Setting> all{base};
  const auto vary = [&](auto member, auto... values) {
    for (const auto value : {values...}) {
      Setting changed = base;
      changed.*member = value;
      if (std::find(all.begin(), all.end(), changed) == all.end()) all.push_back(changed);
    }
  };
  vary(&Setting::scheduler, SchedulerKind::Serial, SchedulerKind::Threads);
  if (request.extent == Extent::Tiny) return all;
  vary(&Setting::latencyMs, 0.2, 0.5, 2.0, 5.0, 10.0);
  vary(&Setting::readers, 1, 4, 64);
  vary(&Setting::workers, 1, 4, 16, 256);
  vary(&Setting::prefetch, true);
  if (request.processors > 1) vary(&Setting::processors, 1);
  if (request.extent == Extent::Quick) return all;
  vary(&Setting::pageEdge, 8, 32);
  vary(&Setting::codec, paging::Codec::None, paging::Codec::Lz4, paging::Codec::Gzip);
  // what hides latency with few tasks and with many
  for (const int workers : {1, 8, 64})
    for (const double latencyMs : {0.2, 5.0})
      for (const SchedulerKind scheduler : {SchedulerKind::Threads, SchedulerKind::Fibers})
        for (const bool prefetch : {false, true}) {
          Setting changed = base;
          changed.workers = workers;
          changed.latencyMs = latencyMs;
          changed.scheduler = scheduler;
          changed.prefetch = prefetch;
          if (std::find(all.begin(), all.end(), changed) == all.end()) all.push_back(changed);
        }
  return all;
}

/// The least time that a run of this work can take, and what limits it.
struct Bound {
  double seconds = 0;
  const char* by = "compute";
};

Bound boundOf(const PagedLineRun& run, double latencySeconds, int readers) {
  const double compute = run.lines.cpuSeconds / run.processors;
  const double reads = static_cast<double>(run.source.reads) * latencySeconds / readers;
  const double chain = static_cast<double>(run.lines.longestMissChain) * latencySeconds;
  if (compute >= std::max(reads, chain)) return {compute, "compute"};
  return reads >= chain ? Bound{reads, "reads"} : Bound{chain, "chain"};
}

Json measure(const Request& request, const Setting& its, StoreImage& image, const LineJob& job,
             std::vector<std::uint64_t>& expected) {
  const std::chrono::nanoseconds latency(static_cast<std::int64_t>(its.latencyMs * 1e6));
  image.setDevice({"latency", latency, 0, 0});
  fields::PagedDataOptions options;
  options.scheduler = its.scheduler;
  options.processors = its.processors;
  options.tasksPerProcessor = its.workers;
  options.readers = its.readers;
  options.prefetch = its.prefetch;
  MemoryAccount account(request.memoryBytes);
  const OnProcessors only(its.processors);
  const PagedLineRun run = tracePaged(image, account, options, job, request.stop);
  if (expected.empty()) expected = run.lines.hashes;
  const Bound bound = boundOf(run, its.latencyMs * 1e-3, its.readers);
  const double given =
      std::max(bound.seconds, (run.lines.cpuSeconds + run.lines.stolenSeconds) / run.processors);
  return {{"scheduler", tasks::nameOf(its.scheduler)},
          {"processors", run.processors},
          {"workers", run.tasksPerProcessor},
          {"readers", its.readers},
          {"pageEdge", its.pageEdge},
          {"codec", paging::nameOf(its.codec)},
          {"latencyMs", its.latencyMs},
          {"prefetch", its.prefetch},
          {"wallSeconds", run.lines.wallSeconds},
          {"cpuSeconds", run.lines.cpuSeconds},
          {"stolenSeconds", run.lines.stolenSeconds},
          {"reads", run.source.reads},
          {"bytesRead", run.source.bytesRead},
          {"waits", run.lines.waits},
          {"longestMissChain", run.lines.longestMissChain},
          {"prefetches", run.cache.prefetches},
          {"prefetchesUsed", run.cache.prefetchesUsed},
          {"evictions", run.cache.evictions},
          {"cpuPerWaitMicroseconds",
           run.lines.waits > 0 ? 1e6 * run.lines.cpuSeconds / static_cast<double>(run.lines.waits) : 0},
          // the limit for so many tasks in flight, each waiting for one read after another
          {"inFlightSeconds", static_cast<double>(run.lines.waits) * its.latencyMs * 1e-3 /
                                  (run.processors * run.tasksPerProcessor)},
          {"boundSeconds", bound.seconds},
          {"boundBy", bound.by},
          {"ratio", run.lines.wallSeconds / bound.seconds},
          {"ratioLessStolen", run.lines.wallSeconds / given},
          {"bitIdentical", run.lines.hashes == expected}};
}

/// The run of a setting with the median ratio to its limit, with the least and the greatest ratio and whether
/// the lines of all were equal. `runs` is sorted.
Json medianRun(std::vector<Json>& runs) {
  const auto ratioOf = [](const Json& run) { return run["ratio"].get<double>(); };
  std::sort(runs.begin(), runs.end(), [&](const Json& a, const Json& b) { return ratioOf(a) < ratioOf(b); });
  Json median = runs[runs.size() / 2];
  median["turns"] = runs.size();
  median["leastRatio"] = ratioOf(runs.front());
  median["greatestRatio"] = ratioOf(runs.back());
  median["bitIdentical"] =
      std::all_of(runs.begin(), runs.end(), [](const Json& run) { return run["bitIdentical"].get<bool>(); });
  return median;
}

}  // namespace

Json runMisses(const Request& request) {
  samples::SampleOptions options;
  options.curvilinear = true;
  options.blocks = 4;
  const std::int64_t nodes = request.choose<std::int64_t>(17, 97, 129, 193);
  options.size = {nodes, nodes, nodes};
  const auto data = samples::makeSample("abc", options);
  StoreSet stores(request, *data);
  LineJob job;
  const Bounds bounds = boundsOf(data->description());
  job.seeds = seedsIn(bounds, request.choose<std::int64_t>(2, 6, 8, 10));
  job.options.maxLength = 2 * bounds.diagonal();
  job.options.maxSteps = request.choose<std::int64_t>(50, 500, 1000, 2000);

  const std::vector<Setting> all = settings(request);
  std::vector<std::vector<Json>> runs(all.size());  // by setting
  std::vector<std::uint64_t> expected;
  const int turns = request.choose(1, 7, 7, 7);
  for (int turn = 1; turn <= turns; ++turn)
    for (std::size_t n = 0; n < all.size(); ++n) {
      request.throwIfStopped();
      const Setting& its = all[n];
      request.say("misses, turn " + std::to_string(turn) + " of " + std::to_string(turns) + ": " +
                  tasks::nameOf(its.scheduler) + ", " + std::to_string(its.workers) + " workers, " +
                  std::to_string(its.readers) + " readers, pages of " + std::to_string(its.pageEdge) + ", " +
                  paging::nameOf(its.codec) + ", " + std::to_string(its.latencyMs) + " ms");
      runs[n].push_back(measure(request, its, stores.image(its.pageEdge, its.codec), job, expected));
    }
  Json results = Json::array();
  for (std::vector<Json>& each : runs) results.push_back(medianRun(each));
  Json out;
  out["what"] =
      "streamlines of pages that are not there, of each setting the run of median ratio; limit: the largest "
      "of "
      "CPU / processors, reads x latency / readers, longest chain of waits x latency";
  out["lines"] = expected.size();
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
