#pragma once
// Gathers of 2 x 2 x 2 nodes of resident pages through cursors, along a path and at random, by one thread and
// by all, compared with the same gathers from a plain array (i fastest), and from a bricked one without a
// table.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runHits(const Request& request);

}  // namespace farfield::bench
