#pragma once
// Cold pages of a store on the real disk, requested at random by tasks that do nothing else, compared with
// the disk's rate of random reads of the same size at the same depth.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runDiskPages(const Request& request);

}  // namespace farfield::bench
