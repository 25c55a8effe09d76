#pragma once
// The published experiment of 2000 again: ranks that each read and render their share of a series, step after step together, one
// after the other and at once, against N max(L, R) + min(L, R).

#include "bench/benchmark.h"

namespace farfield::bench {

Json runSlabRanks(const Request& request);

}  // namespace farfield::bench
