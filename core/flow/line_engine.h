#pragma once
// Many lines of one step at once, traced by something else than a task for each: a device. It is handed in where runs
// are put together, so that nobody here knows what it is.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/memory_account.h"
#include "core/fields/paged_data.h"
#include "core/flow/tracer.h"
#include "core/tasks/scheduler.h"

namespace farfield::flow {

/// The lines, and where they go. All of it outlives the call of the engine.
struct LineJob {
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> functions;  ///< the velocity's three values first
  std::int64_t step = 0;
  LineOptions options;
  std::size_t count = 0;
  struct Seed {
    Vec3 position;
    int direction = 1;
  };
  /// Of the line that begins as the n-th; neighbours begin close to each other. Called by tasks, and may wait.
  std::function<Seed(std::size_t n, tasks::TaskContext& context)> seed;
  std::function<std::string(std::size_t n)> describe;  ///< "seed 12", for errors
  /// Takes the vertices of the n-th line, and finish() ends it. What open() throws ends the whole work. Called by one thread or
  /// task at a time for each line.
  class Sink : public LineSink {
   public:
    virtual void finish(const LineResult& result, Vec3 seed) = 0;
  };
  std::function<std::unique_ptr<Sink>(std::size_t n)> open;
  std::uint64_t sinkBytes = 0;  ///< that open() claims from the account
  MemoryAccount& account;
  std::stop_token stop = {};
  std::chrono::milliseconds timeBudget{0};  ///< 0: none
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// What the work of an engine was.
struct LineCounts {
  std::string engine, device;  ///< "opencl", its name
  /// Of all tasks and lines; with outOfTime lines that had begun are finished, and others were never opened.
  tasks::GroupResult group;
  std::uint64_t rounds = 0;
  std::uint64_t bricks = 0;      ///< of nodes that were copied to the device
  std::uint64_t handedBack = 0;  ///< times a line was taken on by a processor, to go on to the device or end
  double deviceSeconds = 0;      ///< of kernels, as the device measures it
};

/// Traces all lines, each of which is finished then. Nothing where that cannot be done: somebody was told why, lines may have been begun, and
/// they are to be traced by tasks, all of them, anew. Throws Cancelled, and what fields and sinks throw.
using LineEngine = std::function<std::optional<LineCounts>(const LineJob&)>;

}  // namespace farfield::flow
