#pragma once
// What a process needs of its machine, in the event log and for who watches: processors, memory, and bytes that the machine sends
// and receives.

#include <thread>

namespace farfield::remote {

// Names of the quantities.
inline constexpr const char *kProcessors = "processors", *kResidentMiB = "resident MiB",
                            *kNetworkMiBPerSecond = "machine's network, MiB/s";

/// Looks a few times a second, on a thread of its own, as long as it lives and anybody wants to know.
class Vitals {
 public:
  Vitals();

 private:
  std::jthread m_thread;
};

}  // namespace farfield::remote
