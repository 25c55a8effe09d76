#pragma once
// Streamlines by grid kind: the CPU time of a line of a given accuracy. The error is measured: the distance
// at equal times from a run on the same data with a tolerance far below all others. The distance of that run
// from lines through the exact flow shows which errors matter: below it, only the grid's error is computed
// more accurately.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runStreamlines(const Request& request);

}  // namespace farfield::bench
