#pragma once
// What a process needs of its machine, in the event log: processors, memory, and bytes that the machine sends and receives.

#include <thread>

namespace farfield::remote {

/// Writes counters a few times a second, on a thread of its own, as long as it lives.
class Vitals {
 public:
  Vitals();

 private:
  std::jthread m_thread;
};

}  // namespace farfield::remote
