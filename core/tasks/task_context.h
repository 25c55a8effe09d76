#pragma once
// What a running task knows of its surroundings. A task is written as if all data were in memory; the
// cursors it uses call wait() for it when a page is missing.

#include <cstddef>
#include <functional>

#include "core/base/error.h"
#include "core/tasks/gate.h"

namespace farfield::tasks {

/// Thrown from a wait when the group's time budget is spent. A task catches it and ends with what it has. One
/// that does not catch it counts as not finished, but not as failed.
struct TimeIsUp : ErrorKind<TimeIsUp> {
  using ErrorKind::ErrorKind;
  TimeIsUp() : ErrorKind("the time budget is spent") {}
};

/// Belongs to one task; all calls are from that task.
class TaskContext {
 public:
  /// Gives the processor to another task until `gate` is open, the group is stopped, or its time budget is
  /// spent; the caller looks at gate.isOpen() to tell. `submit` starts what the gate waits for and is run
  /// once, after the task has left its processor's stack (so it may reap completions that wake this very
  /// task). It must not throw and must not wait.
  ///
  /// Rules for the caller: hold no lock, be in no catch block, keep no thread_local reference across the
  /// call. When the gate is not open on return, withdraw from whatever still refers to it before it goes
  /// out of scope, then call throwIfGivenUp().
  virtual void wait(Gate& gate, const std::function<void()>& submit) = 0;

  /// The waker to build gates with.
  virtual Waker& waker() = 0;

  /// True when the group was cancelled or another of its tasks failed.
  virtual bool stopRequested() const = 0;
  /// True when the group's time budget is spent: finish with the best result so far.
  virtual bool outOfTime() const = 0;
  /// Throws Cancelled when stopRequested().
  void throwIfStopped() const;
  /// Throws Cancelled when stopRequested(), TimeIsUp when outOfTime().
  void throwIfGivenUp() const;

 protected:
  ~TaskContext() = default;
};

}  // namespace farfield::tasks
