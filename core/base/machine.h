#pragma once
// The resources of the machine that this process may use; budgets and numbers of threads derive from them.

#include <cstdint>

namespace farfield {

/// Memory of the whole machine, used or not. 1 GiB if the system does not say.
std::uint64_t machineMemoryBytes();
/// Processors that this thread, and those it starts, may run on (sched_setaffinity, taskset); at least 1.
int availableProcessors();

}  // namespace farfield
