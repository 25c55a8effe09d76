#pragma once
// Gathers of 2 x 2 x 2 nodes of resident pages through cursors, along a path and at random, by one thread and
// by all, against the same gathers from an array as a program without paging has it (i fastest), and from
// one that is bricked but needs no table.

#include "bench/benchmark.h"

namespace farfield::bench {

Json runHits(const Request& request);

}  // namespace farfield::bench
