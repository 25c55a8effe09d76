#pragma once
// Reads the next step while this one is rendered, one step at a time.

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <thread>

#include "remote/slabd/slab_painter.h"

namespace farfield::remote {

/// Used by one thread; has one of its own.
class SlabLoader {
 public:
  /// Ends what is being loaded, and loads this. What goes wrong is found by who needs the data. `frame`: for the trace, the step.
  void start(SlabPainter::Load load, std::uint64_t frame);
  /// Waits until nothing is being loaded.
  void wait();
  /// How long the last that was read as a whole took; 0: none since it was asked for last. Thread-safe.
  double takeSeconds() { return m_seconds.exchange(0); }

 private:
  std::atomic<double> m_seconds{0};
  std::jthread m_thread;
};

}  // namespace farfield::remote
