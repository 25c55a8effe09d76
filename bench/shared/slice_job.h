#pragma once
// Slices through a data set in pages, one plane after the other, and their cost.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/extract/plane.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::bench {

struct SliceJob {
  std::vector<extract::Plane> planes;
  std::string function;  ///< the colouring function
};

/// `count` planes across `normal`, from one side of `bounds` to the other.
std::vector<extract::Plane> planesAcross(const Bounds& bounds, const Vec3& normal, int count);

/// A run that begins with an empty cache.
struct SliceRun {
  std::uint64_t hash = 0;                  ///< of all triangles
  double wallSeconds = 0, cpuSeconds = 0;  ///< of all planes, all threads
  paging::CacheCounters cache;
  paging::SourceCounters source;
};
/// Throws what opening and gathering throw.
SliceRun slicePaged(const fields::OpenData& data, MemoryAccount& account,
                    const fields::PagedDataOptions& options, const SliceJob& job, std::stop_token stop);

}  // namespace farfield::bench
