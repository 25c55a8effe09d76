#pragma once
// What a recorded event log says, gathered for a picture of it: for each thread how it spent its time, how
// many tasks were in flight and how many of those waited, how many reads were on their way, and the lives of
// a few tasks. All of it in columns of equal time, so that a log of any length takes the same memory.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/lifelines/trace_set.h"

namespace farfield::lifelines {

/// Ends of the labels of what is done for one step after the other.
constexpr const char *kEvenSteps = ", even steps", *kOddSteps = ", odd steps";

/// Something that a thread does.
struct Kind {
  std::string label;
  double seconds = 0;  ///< of all threads together, in the time that is shown
};

struct ThreadLine {
  std::string name;
  /// kind * columns + column: the share of the column's time, 0 … 1; the innermost of nested works counts.
  std::vector<float> shares;
};

struct TaskLine {
  double begin = 0, end = 0;                     ///< seconds since the beginning of the log
  std::vector<std::pair<double, double>> waits;  ///< the same, in order
};

struct LifeLines {
  double begin = 0, end = 0;  ///< what is shown, seconds since the beginning of the log
  double logSeconds = 0;      ///< of the whole log
  int columns = 0;
  std::vector<Kind> kinds;
  std::vector<ThreadLine> threads;             ///< that did anything then
  std::vector<float> tasks, waiting, reads;    ///< per column: how many there were, on average
  std::vector<TaskLine> someTasks;             ///< of those that live then; in the order of their beginnings
  std::uint64_t taskCount = 0, readCount = 0;  ///< in the whole log
  std::uint64_t dropped = 0;                   ///< events that the log had no room for
  int threadsLeftOut = 0;
};

struct GatherOptions {
  int columns = 1000;
  double from = 0;                          ///< seconds since the beginning of the log
  std::optional<double> to = std::nullopt;  ///< to its end
  int tasks = 24;                           ///< lives to show, evenly spread
};

/// Reads the logs three times. Throws what readTrace() throws; Corrupt where the log has no events, Invalid
/// where nothing of it lies in the time that is wanted.
LifeLines gatherLifeLines(const TraceSet& traces, const GatherOptions& options, const std::stop_token& stop,
                          const ReadProgress& progress);

}  // namespace farfield::lifelines
