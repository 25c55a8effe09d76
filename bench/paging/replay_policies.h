#pragma once
// `farfield bench policies`: replays recorded requests through every replacement policy at several
// capacities. The limit is the optimum, which knows the future.

#include "bench/benchmark.h"

namespace farfield::bench {

/// Replays Request::files, or, without, traces of its own: streamlines through samples, several time steps, a
/// rake that is moved (recorded from the real program), and slices (made from page layouts).
Json runPolicies(const Request& request);

}  // namespace farfield::bench
