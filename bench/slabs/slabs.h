#pragma once
// Steps rendered as slabs, one read after the other rendered and the next read meanwhile, against the time that the slower of
// the two must take.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runSlabs(const Request& request);

}  // namespace farfield::bench
