#pragma once
// Reads the next step while this one is rendered, one step at a time.

#include <cstdint>
#include <stop_token>
#include <thread>

#include "remote/slabd/slab_painter.h"

namespace farfield::remote {

/// Used by one thread; has one of its own.
class SlabLoader {
 public:
  /// Ends what is being loaded, and loads this. What goes wrong is found by who needs the data. `frame`: for the trace.
  void start(SlabPainter::Load load, std::uint64_t frame);
  /// Waits until nothing is being loaded.
  void wait();

 private:
  std::jthread m_thread;
};

}  // namespace farfield::remote
