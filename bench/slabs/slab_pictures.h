#pragma once
// What slabs look like away from their axis, what they weigh, and how work and bytes of frames are shared among ranks.

#include <cstdint>

#include "bench/benchmark.h"

namespace farfield::bench {

/// Pictures by slabs against those of the volume itself, from an axis to half the way to the next: planes, meshes, and both axes'
/// meshes mixed (scene/slab_rays.h). In dB; red, green and blue over black.
Json slabAngles(const Request& request);
/// Bytes of all slabs of one axis, as they are sent, with as many pixels as nodes along a side.
Json slabBytes(const Request& request);
/// A frame by 1, 2, 4 and 8 ranks: samples that each takes, and bytes that go from rank to rank.
Json frameShares(const Request& request);

}  // namespace farfield::bench
