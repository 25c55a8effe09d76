#include "bench/paging/many_tasks.h"

#include <algorithm>

#include "bench/shared/line_job.h"
#include "bench/shared/measure.h"
#include "bench/shared/store_set.h"
#include "core/fields/samples/sample.h"
#include "core/session/results/stats.h"

namespace farfield::bench {
namespace {

constexpr int kPageEdge = 8;  ///< small pages: eight of them are reserved for each task
constexpr std::chrono::milliseconds kLatency{50};

/// The least time of these waits if so many tasks wait at the same time.
double leastSeconds(const PagedLineRun& run, int readers) {
  const double latency = std::chrono::duration<double>(kLatency).count();
  const double reads = static_cast<double>(run.source.reads) * latency / readers;
  const double chain = static_cast<double>(run.lines.longestMissChain) * latency;
  return std::max({run.lines.cpuSeconds / run.processors, reads, chain});
}

}  // namespace

Json runManyTasks(const Request& request) {
  samples::SampleOptions sample;
  const std::int64_t nodes = request.choose<std::int64_t>(33, 193, 225, 257);
  sample.size = {nodes, nodes, nodes};
  const auto data = samples::makeSample("abc", sample);
  StoreSet stores(request, *data);
  StoreImage& image = stores.image(kPageEdge, paging::Codec::Zstd);
  image.setDevice({"latency", kLatency, 0, 0});
  LineJob job;
  const Bounds bounds = boundsOf(data->description());
  job.seeds = seedsIn(bounds, request.choose<std::int64_t>(3, 20, 20, 25));
  job.options.maxLength = 0.02 * bounds.diagonal();

  Json results = Json::array();
  std::vector<std::uint64_t> expected;
  for (const int tasks : {128, 1000, 4000, 10000}) {
    request.throwIfStopped();
    request.say("tasks: " + std::to_string(tasks) + " in flight");
    fields::PagedDataOptions options;
    options.processors = request.processors;
    options.tasksPerProcessor = (tasks + request.processors - 1) / request.processors;
    options.readers = 1024;
    options.prefetch = false;
    MemoryAccount account(request.memoryBytes);
    const PagedLineRun run = tracePaged(image, account, options, job, request.stop);
    if (expected.empty()) expected = run.lines.hashes;
    const double least = leastSeconds(run, options.readers);
    results.push_back({{"tasksWanted", tasks},
                       {"tasksPlanned", run.tasksPerProcessor * run.processors},
                       {"mostTasksInFlight", run.lines.mostInFlight},
                       {"lines", run.lines.hashes.size()},
                       {"waits", run.lines.waits},
                       {"reads", run.source.reads},
                       {"evictions", run.cache.evictions},
                       {"wallSeconds", run.lines.wallSeconds},
                       {"cpuSeconds", run.lines.cpuSeconds},
                       {"limitSeconds", least},
                       {"ratio", run.lines.wallSeconds / least},
                       {"budgetBytes", account.budgetBytes()},
                       {"budgetPeakBytes", account.peakBytes()},
                       {"rssBytes", session::currentRssBytes()},
                       {"withinBudget", account.peakBytes() <= account.budgetBytes()},
                       {"bitIdentical", run.lines.hashes == expected}});
  }
  Json out;
  out["what"] =
      "short lines that all wait for pages of their own, 50 ms away; limit: the largest of CPU / processors, "
      "reads x latency / readers, longest chain of waits x latency. The device's memory (the whole store) is "
      "part of rssBytes";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
