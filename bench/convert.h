#pragma once
// Conversion of PLOT3D files into a store against the slowest of what it needs: how fast the disk reads and
// writes, and how fast the codec encodes these very pages with as many processors.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runConvert(const Request& request);

}  // namespace farfield::bench
