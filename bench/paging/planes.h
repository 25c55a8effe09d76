#pragma once
// `farfield bench planes FILE …`: grid planes of a variable read through pages, from opening to having their values, with
// nothing cut, drawn or written. What h5py's hyperslab is to be compared with.

#include "bench/benchmark.h"

namespace farfield::bench {

/// Of each file the first variable of the first block, which is structured, and its middle plane across each axis; without files a store that it makes. Each round opens
/// the data anew, with a cache of its own; the least of all rounds counts. `equalSums`: the values are those of the first file. Throws
/// what opening and reading throw.
Json runPlanes(const Request& request);

}  // namespace farfield::bench
