#pragma once
// The traces that `farfield bench policies` makes where it is given none.

#include <vector>

#include "bench/benchmark.h"
#include "bench/policies/replacement.h"

namespace farfield::bench {

/// A trace that is made when it is its turn, so that one is in memory at a time.
struct TraceMaker {
  std::string name;
  std::function<ReplayTrace()> make;
};

/// The request outlives the makers. Making one may throw what a run of a session throws.
std::vector<TraceMaker> ownTraces(const Request& request);

}  // namespace farfield::bench
