#pragma once
// Streamlines whose pages are not resident, from a device of known latency: their time compared with the
// least possible, which is the largest of
//
//   CPU time / processors,   reads x latency / readers,   longest chain of waits of one line x latency.
//
// One parameter at a time is varied around a base case: scheduler, workers, readers, page edge, codec,
// latency, prefetch. All settings are run in turn, and for each the run with the median ratio is reported;
// `ratioLessStolen` adds to the CPU time what a hypervisor gave to other guests meanwhile, which a program
// cannot use.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runMisses(const Request& request);

}  // namespace farfield::bench
