#include "core/tasks/scheduler.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/tasks/schedulers.h"

namespace farfield::tasks {

void TaskContext::throwIfStopped() const {
  if (stopRequested()) throw Cancelled();
}

void TaskContext::throwIfGivenUp() const {
  throwIfStopped();
  if (outOfTime()) throw TimeIsUp();
}

const char* nameOf(SchedulerKind kind) {
  switch (kind) {
    case SchedulerKind::Serial:
      return "serial";
    case SchedulerKind::Threads:
      return "threads";
    case SchedulerKind::Fibers:
      return "fibers";
  }
  return "unknown";
}

SchedulerKind schedulerNamed(const std::string& name) {
  for (const SchedulerKind kind : {SchedulerKind::Serial, SchedulerKind::Threads, SchedulerKind::Fibers})
    if (name == nameOf(kind)) return kind;
  throw Invalid("there is no scheduler \"" + name + "\"", "use serial, threads or fibers");
}

std::unique_ptr<Scheduler> makeScheduler(const SchedulerOptions& options) {
  if (options.processors < 1) throw Invalid("a scheduler needs at least one processor");
  if (options.workersPerProcessor < 1) throw Invalid("a scheduler needs at least one worker per processor");
  switch (options.kind) {
    case SchedulerKind::Serial:
      return detail::makeSerial(options);
    case SchedulerKind::Threads:
      return detail::makeThreads(options);
    case SchedulerKind::Fibers:
      break;
  }
#ifdef FARFIELD_SANITIZED
  // The sanitizers cannot follow a fiber from stack to stack, and threads are expensive under them.
  constexpr int kMostSanitizedWorkers = 64;
  SchedulerOptions instead = options;
  instead.workersPerProcessor = std::min(options.workersPerProcessor, kMostSanitizedWorkers);
  log::detail("this build has a sanitizer: the threads scheduler runs instead of fibers");
  return detail::makeThreads(instead);
#else
  return detail::makeFibers(options);
#endif
}

std::uint64_t stackBytesOf(const SchedulerOptions& options) {
  if (options.kind == SchedulerKind::Serial) return 0;
  const std::size_t least =
      options.kind == SchedulerKind::Threads ? detail::kLeastThreadStackBytes : detail::kLeastFiberStackBytes;
  const std::uint64_t one = std::max(options.stackBytes, least);
  return one * static_cast<std::uint64_t>(std::max(options.processors, 0)) *
         static_cast<std::uint64_t>(std::max(options.workersPerProcessor, 0));
}

std::unique_ptr<Scheduler> makeSerialScheduler(std::vector<Reaper*> reapers) {
  return detail::makeSerial({.kind = SchedulerKind::Serial, .reapers = std::move(reapers)});
}

}  // namespace farfield::tasks
