#pragma once
// The job that most benchmarks run: streamlines from a set of seeds in both directions, for each step,
// through anything that gives samplers; and its cost.

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/paged/paged_data.h"
#include "core/flow/seeds.h"
#include "core/flow/tracer.h"

namespace farfield::bench {

struct LineJob {
  std::shared_ptr<const flow::SeedSet> seeds;
  flow::LineOptions options;
  std::vector<std::string> functions{"velocity"};  ///< the velocity first, then the colouring function
  std::int64_t steps = 1;
};

/// Of all blocks.
Bounds boundsOf(const paging::DatasetDescription& data);
/// Seeds all over the inside of the data (of an O-grid, too), off the grid's planes of symmetry.
std::shared_ptr<const flow::SeedSet> seedsIn(const Bounds& bounds, std::int64_t perAxis);

struct LineRun {
  std::vector<std::uint64_t> hashes;  ///< of the lines, by step, seed and direction
  std::uint64_t vertices = 0;
  double wallSeconds = 0, cpuSeconds = 0;  ///< of tracing only, all threads
  double stolenSeconds = 0;                ///< by other guests of the host meanwhile
  std::uint64_t waits = 0;
  std::uint64_t mostInFlight = 0;      ///< tasks at a time
  std::uint64_t longestMissChain = 0;  ///< the longest of each step, summed: steps follow one another
};

using MakeSampler = std::function<std::unique_ptr<fields::Sampler>(tasks::TaskContext&)>;

LineRun trace(tasks::Scheduler& scheduler, tasks::Admission* admission, const LineJob& job,
              const MakeSampler& makeSampler, std::stop_token stop);

/// A run through pages that begins with an empty cache.
struct PagedLineRun {
  LineRun lines;
  paging::CacheCounters cache;
  paging::SourceCounters source;
  int processors = 1, tasksPerProcessor = 1;  ///< as the memory plan allowed
};
PagedLineRun tracePaged(const fields::OpenData& data, MemoryAccount& account,
                        const fields::PagedDataOptions& options, const LineJob& job, std::stop_token stop);

}  // namespace farfield::bench
