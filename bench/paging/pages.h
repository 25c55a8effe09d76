#pragma once
// Which page edge and codec suit what: streamlines through stores with all page edges and codecs, from
// devices of known latency and bandwidth, under a budget far smaller than the data and one that holds them
// all. The geometry is the same in all runs; time, bytes and reads differ.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runPages(const Request& request);

}  // namespace farfield::bench
