#pragma once
// Events from outside that processors collect between tasks: mostly completed reads.

namespace farfield::tasks {

class Reaper {
 public:
  virtual ~Reaper() = default;
  /// Handles what has completed, without waiting; returns how many items. Thread-safe: processors call it at
  /// the same time, and each finds other items or nothing. Never throws.
  virtual int reap() noexcept = 0;
  /// Descriptors that poll(2) reports readable when reap() would find something; `out` has room for
  /// `capacity`; returns how many. Asked again before each poll: a reaper may set its timers only then. A
  /// source with threads of its own has none: it calls arrive() itself.
  virtual int pollDescriptors(int* out, int capacity) const = 0;
};

}  // namespace farfield::tasks
