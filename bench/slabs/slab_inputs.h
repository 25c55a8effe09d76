#pragma once
// How many ranks must read so that those that render never wait: a sweep, and what the published rule says (input_plan.h).

#include <cstdint>

#include "bench/benchmark.h"
#include "bench/shared/store_image.h"

namespace farfield::bench {

/// All ranks in this process, each with a device of its own from which a step takes several times as long as rendering it, which
/// takes `renderSeconds`. Changes the image's device.
Json sweepInputs(const Request& request, StoreImage& image, std::int64_t steps, double renderSeconds);

}  // namespace farfield::bench
