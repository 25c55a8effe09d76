#pragma once
// Whether lines under a budget of a fraction of what they touch read pages again: what the order in which demands start is for.

#include "bench/benchmark.h"

namespace farfield::bench {

/// "budgets"
Json runSmallBudgets(const Request& request);

}  // namespace farfield::bench
