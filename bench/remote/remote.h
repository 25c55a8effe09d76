#pragma once
// Pages over a network: the ways of asking compared in 2009 (synchronous, threaded, pool, bulk, pipeline) and
// this program's, on loopback and over an emulated wide-area link, against a bare stream of bytes over the
// same link; and the cost of splitting one read into many operations.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runRemote(const Request& request);

}  // namespace farfield::bench
