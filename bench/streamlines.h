#pragma once
// Streamlines by grid kind: how much CPU time a line of a given accuracy takes. The error is measured, not
// asked for: it is the distance at equal times from a run on the same data with a tolerance far below all
// others. How far that run is from lines through the exact flow says which errors matter: below it one
// computes the grid's error ever more accurately.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runStreamlines(const Request& request);

}  // namespace farfield::bench
