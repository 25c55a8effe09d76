#pragma once
// A whole streamline job with everything resident: through the page cache, and over plain arrays with the same
// tracer. The lines must be equal to the bit; the ratio of the times is what paging costs when there is
// nothing to read.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runResident(const Request& request);

}  // namespace farfield::bench
