#pragma once
// Isosurfaces of data in memory, compared with one pass over a plain array that finds the cells that are cut.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runIsosurface(const Request& request);

}  // namespace farfield::bench
