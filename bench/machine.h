#pragma once
// Describes the machine on which a result was measured.

#include "bench/benchmark.h"

namespace farfield::bench {

/// Processor, how many of them, memory, operating system, load before the run, compiler.
Json describeMachine();
/// Over the last minute: the load of other programs.
double loadAverage();

}  // namespace farfield::bench
