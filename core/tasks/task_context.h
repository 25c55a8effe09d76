#pragma once
// What a running task knows of its surroundings. A task is written as if all data were in memory; the
// cursors it uses call wait() for it when a page is missing.

#include <cstddef>
#include <functional>

#include "core/tasks/gate.h"

namespace farfield::tasks {

/// Belongs to one task; all calls are from that task.
class TaskContext {
 public:
  /// Gives the processor to another task until `gate` is open or the group is stopped; the caller looks at
  /// gate.isOpen() to tell which. `submit` starts what the gate waits for and is run once, after the task
  /// has left its processor's stack (so it may reap completions that wake this very task). It must not
  /// throw and must not wait.
  ///
  /// Rules for the caller: hold no lock, be in no catch block, keep no thread_local reference across the
  /// call. When the gate is not open on return, withdraw from whatever still refers to it before it goes
  /// out of scope, then throw Cancelled.
  virtual void wait(Gate& gate, const std::function<void()>& submit) = 0;

  /// The waker to build gates with.
  virtual Waker& waker() = 0;

  /// True when the group was cancelled or another of its tasks failed.
  virtual bool stopRequested() const = 0;
  /// True when the group's time budget is spent: finish with the best result so far.
  virtual bool outOfTime() const = 0;
  /// Throws Cancelled when stopRequested().
  void throwIfStopped() const;

 protected:
  ~TaskContext() = default;
};

}  // namespace farfield::tasks
