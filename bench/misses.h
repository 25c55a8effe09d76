#pragma once
// Streamlines whose pages are not there, from a device of known latency: the time they take against the least
// that it could be, which is the largest of
//
//   CPU time / processors,   reads x latency / readers,   longest chain of waits of one line x latency.
//
// One thing after another is varied around a base case: scheduler, workers, readers, page edge, codec,
// latency, prefetch. And cold pages of the real disk at random, against the disk's own rate
// (bench/disk_rate.h).

#include "bench/benchmark.h"

namespace farfield::bench {

Json runMisses(const Request& request);

}  // namespace farfield::bench
