#pragma once
// Pathlines through a series in memory: what a step of a particle costs, whether the last steps of the data cost what the
// first did, what another processor is worth against bare arithmetic, and how far the ends are from the exact ones.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runPaths(const Request& request);

}  // namespace farfield::bench
