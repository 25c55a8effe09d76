#pragma once
// A viewer that turns slabs while steps arrive, on this machine and over a slow link: pictures a second beside those of a viewer to
// which nothing comes, and how long a step takes to come.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runSlabViewers(const Request& request);
/// What viewers get of volumes of several sizes.
Json runSlabBytes(const Request& request);

}  // namespace farfield::bench
