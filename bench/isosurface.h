#pragma once
// Isosurfaces of data in memory, against going through the values once in a plain array to see which cells are cut.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runIsosurface(const Request& request);

}  // namespace farfield::bench
