#pragma once
// A whole streamline job with everything resident: through the page cache, and over plain arrays with the
// same tracer. The lines must be bit-identical; the ratio of the times is the cost of paging when nothing has
// to be read.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runResident(const Request& request);

}  // namespace farfield::bench
