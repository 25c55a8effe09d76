#pragma once
// What of the machine a process may count on. Budgets and numbers of threads begin with it.

#include <cstdint>

namespace farfield {

/// Memory of the whole machine, whatever others use of it. 1 GiB where the system does not say.
std::uint64_t machineMemoryBytes();
/// Processors that this thread, and those it starts, may run on (sched_setaffinity, taskset); at least 1.
int availableProcessors();

}  // namespace farfield
