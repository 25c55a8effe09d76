#pragma once
// Task groups and the three ways to run them. A visualization is a group of tasks (one per streamline,
// surface patch, image tile). When a task waits, only that task stops; what takes its place is what the
// schedulers differ in:
//
//   serial    nothing: one task at a time, in order. The baseline of every comparison.
//   threads   another thread: workers x processors OS threads, of which a run permit lets one per
//             processor run (the algorithm of Ellsworth 2001). The one the sanitizers understand.
//   fibers    another fiber on the same processor (Boost.Context). A started fiber stays on its thread;
//             only tasks not yet started move. Thousands in flight. The default.
//
// The results of a group do not depend on the scheduler: tasks share nothing that they write.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/tasks/reaper.h"
#include "core/tasks/task_context.h"

namespace farfield::tasks {

/// Lets tasks start only while what they need is there (a reservation of pages). Thread-safe.
class Admission {
 public:
  /// Takes what one task needs; false when that is not free now. Never blocks. Must succeed when no task of
  /// the process holds any, or nothing would ever start.
  virtual bool tryEnter() = 0;
  /// Gives it back.
  virtual void leave() noexcept = 0;

 protected:
  ~Admission() = default;
};

struct TaskGroup {
  std::string name;       ///< for the event log
  std::size_t count = 0;  ///< tasks, numbered 0 … count-1, started in this order
  std::function<void(std::size_t, TaskContext&)> run;     ///< one task; called at most once per number
  std::function<std::string(std::size_t)> describe = {};  ///< "streamline 12", for errors; default: nothing
  Admission* admission = nullptr;                         ///< null: tasks start freely; not owned
  std::chrono::milliseconds timeBudget{0};                ///< 0: none
  /// Called now and then, from any one thread at a time, with the number of finished tasks.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

struct GroupResult {
  std::size_t finished = 0;            ///< tasks that ran to their end
  bool outOfTime = false;              ///< the time budget ran out before the last task ended
  std::uint64_t waits = 0;             ///< times a task stopped
  std::uint64_t longestWaitChain = 0;  ///< most waits of any one task, which follow one another
  std::uint64_t mostInFlight = 0;      ///< most tasks at a time that had started and not ended
  double busySeconds = 0;              ///< CPU time of the processors' threads, summed
};

enum class SchedulerKind { Serial, Threads, Fibers };
const char* nameOf(SchedulerKind kind);
/// Throws Invalid.
SchedulerKind schedulerNamed(const std::string& name);

constexpr std::size_t kFiberStackBytes = std::size_t{64} << 10;
constexpr std::size_t kThreadStackBytes = std::size_t{256} << 10;

struct SchedulerOptions {
  SchedulerKind kind = SchedulerKind::Fibers;
  int processors = 1;                         ///< tasks running at a time (serial: always 1)
  int workersPerProcessor = 64;               ///< tasks in flight per processor (serial: always 1)
  std::size_t stackBytes = kFiberStackBytes;  ///< of a fiber; OS threads get kThreadStackBytes at least
  /// Asked by idle processors, and by busy ones between tasks. Not owned.
  std::vector<Reaper*> reapers = {};
};

/// Runs one group at a time. Not thread-safe; use one scheduler per concurrent group.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// Runs the whole group on the calling thread and its own. On return no task runs any more.
  /// A task's exception stops the others and is thrown again, with the task's description in front; of
  /// several, that of the lowest-numbered task. A stop request ends in Cancelled.
  virtual GroupResult run(const TaskGroup& group, std::stop_token stop) = 0;
};

/// Throws Invalid, Io (no descriptors, no address space for stacks). Under a sanitizer (FARFIELD_SANITIZED)
/// Fibers gives a threads scheduler of at most 64 workers per processor: sanitizers cannot follow fibers.
std::unique_ptr<Scheduler> makeScheduler(const SchedulerOptions& options);

/// Upper bound of the bytes of the stacks that a scheduler of these options touches, for the caller to claim
/// (Purpose::Stacks). Most tasks use a fraction of their stack, and only that is resident.
std::uint64_t stackBytesOf(const SchedulerOptions& options);

/// Number (0 …) of the processor that the calling thread runs tasks for; 0 on other threads.
int currentProcessor();

/// A context for one task without a group: waits by blocking the calling thread (and reaping). For the
/// command line's single look-ups and for tests.
std::unique_ptr<Scheduler> makeSerialScheduler(std::vector<Reaper*> reapers = {});

}  // namespace farfield::tasks
