#pragma once
// Pictures of a volume by rays: cold from opening to the first and the final picture, then frames of a
// turning view, compared with what the machine can do: reading memory, multiplying and adding.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runVolume(const Request& request);

}  // namespace farfield::bench
