#pragma once
// Traces many lines of one step at once by other means than a task per line: on a device. The composition root passes it
// in, so core does not depend on it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/memory_account.h"
#include "core/fields/paged/paged_data.h"
#include "core/flow/tracer.h"
#include "core/tasks/scheduler.h"

namespace farfield::flow {

/// The lines, and the sinks for them. All of it outlives the engine's call.
struct LineJob {
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> functions;  ///< the velocity's three values first
  std::int64_t step = 0;
  LineOptions options;
  bool turns = false;  ///< vertices have, behind their values, how far the flow has turned (TurningSink)
  std::size_t count = 0;
  struct Seed {
    Vec3 position;
    int direction = 1;
  };
  /// The seed of the n-th line to start; neighbours start close to each other. Called by tasks; may wait.
  std::function<Seed(std::size_t n, tasks::TaskContext& context)> seed;
  std::function<std::string(std::size_t n)> describe;  ///< "seed 12", for errors
  /// Takes the vertices of the n-th line; finish() ends it. An exception from open() ends the whole work. For each line, one
  /// thread or task calls at a time.
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

/// Statistics of an engine's work.
struct LineCounts {
  std::string engine, device;  ///< "opencl", its name
  /// Of all tasks and lines. If outOfTime, lines that had started are finished and the others were never opened.
  tasks::GroupResult group;
  std::uint64_t rounds = 0;
  std::uint64_t bricks = 0;      ///< bricks of nodes copied to the device
  std::uint64_t handedBack = 0;  ///< times that the device handed a line back to a processor
  double deviceSeconds = 0;      ///< of kernels, as the device measures it
};

/// Traces and finishes all lines. Returns nothing if it cannot: then the user was told why, some lines may have been opened, and tasks must
/// trace all lines from the start. Throws Cancelled, and what fields and sinks throw.
using LineEngine = std::function<std::optional<LineCounts>(const LineJob&)>;

}  // namespace farfield::flow
