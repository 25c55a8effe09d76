#pragma once
// Where groups of cells of a variable have values, for data in place: the range of each group, found in a look at all numbers
// in the order in which files have them, in long reads, and kept. Pages of such data are as long as their rows, so
// a surface meets half of them; it meets few groups, and pages without one of these are not read.

#include <cstdint>
#include <functional>
#include <optional>

#include "core/paging/location/kept_ranges.h"
#include "core/paging/pages/page_source.h"

namespace farfield::fields {

/// An optional part of OpenData. Thread-safe.
class GroupFinder {
 public:
  /// Of the box of groups number `box` along i, j, k (kGroupsPerGroup groups along each axis), of a component of array number
  /// `array`. Looks for all boxes in a row along i if nothing is known yet; a thread that finds another one at it
  /// does the next row meanwhile. Nothing where that gains nothing, or memory is short. `throwIfGivenUp` is called now and
  /// then, and may throw. Waits for reads. Throws what the reader throws.
  virtual std::optional<paging::GroupExtremes> findGroups(
      std::uint32_t array, int component, std::int64_t step, const Index3& box,
      const std::function<void()>& throwIfGivenUp) const = 0;
  /// What these looks have read until now, beside what pages have.
  virtual paging::SourceCounters lookCounters() const = 0;

 protected:
  ~GroupFinder() = default;
};

}  // namespace farfield::fields
