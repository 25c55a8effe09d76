#pragma once
// Repeats the experiment of Ellsworth, "Accelerating Demand Paging for Local and Remote Out-of-Core
// Visualization" (NAS Technical Report NAS-01-004, 2001): streamlines for every step of three data sets
// through a pool of 200 MB, cold, by a serial program, by threads with a run permit (the published algorithm)
// and by fibers, with 1 to 64 workers a processor and 1 to 24 readers. The data are generated in the shape of
// the published ones; the devices are the real disk and models of others.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runNas(const Request& request);

}  // namespace farfield::bench
