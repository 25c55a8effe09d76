#pragma once
// Cold pages of a store on the real disk, wanted at random by tasks that do nothing else, against the rate at
// which the disk gives random reads of the same size at the same depth.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runDiskPages(const Request& request);

}  // namespace farfield::bench
