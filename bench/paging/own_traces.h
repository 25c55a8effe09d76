#pragma once
// The traces that `farfield bench policies` makes if it is given none.

#include <vector>

#include "bench/benchmark.h"
#include "bench/policies/replacement.h"

namespace farfield::bench {

/// Makes a trace when it is needed, so that only one is in memory.
struct TraceMaker {
  std::string name;
  std::function<ReplayTrace()> make;
};

/// The request outlives the makers. Making one may throw what a run of a session throws.
std::vector<TraceMaker> ownTraces(const Request& request);

}  // namespace farfield::bench
