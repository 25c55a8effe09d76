#pragma once
// What a result was measured on.

#include "bench/benchmark.h"

namespace farfield::bench {

/// Processor, how many of them, memory, operating system, load before the run, compiler.
Json describeMachine();
/// Over the last minute; what other programs did to the figures.
double loadAverage();

}  // namespace farfield::bench
