#pragma once
// How many tasks can be in flight at a time: short lines from seeds all over a grid, whose pages come from a
// device so slow that all lines have started before the first page arrives. With few and with many in flight:
// bit-identical lines, and the budget holds.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runManyTasks(const Request& request);

}  // namespace farfield::bench
