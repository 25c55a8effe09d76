#pragma once
// Lines of many seeds by processors and by an OpenCL device, by turns over the same resident pages: lines and steps a
// second, and how far the lines of the two are from each other.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runParticles(const Request& request);

}  // namespace farfield::bench
