#pragma once
// Pages over a network: what the ways of asking that were compared in 2009 (synchronous, threaded, pool, bulk, pipeline)
// give beside this program's, on loopback and over an emulated wide-area link, against a bare stream of bytes over
// the same link; and what it costs that one read is split into many operations.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runRemote(const Request& request);

}  // namespace farfield::bench
