#pragma once
// Conversion of PLOT3D files into a store, compared with the slowest of its parts: reading and writing the
// disk, and encoding these pages with as many processors.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runConvert(const Request& request);

}  // namespace farfield::bench
