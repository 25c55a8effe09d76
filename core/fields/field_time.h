#pragma once
// A moment of data that are given at steps. Between two steps everything that has steps is linear in time:
// the values of functions at the nodes, and the coordinates of the nodes where the grid moves.

#include <cstdint>
#include <span>

namespace farfield::fields {

/// On `step`, or between it and the next one.
struct FieldTime {
  std::int64_t step = 0;
  double weight = 0;  ///< of the next step, 0 <= weight < 1. With 0 the next step is not read.
  /// The moment is one of a way from `step` to the next one, which is there and is read whatever the weight
  /// is; that may be 1, too. The velocity in a cell (Sampler::flowIn) then changes in time.
  bool towardNext = false;
  bool readsNext() const { return weight > 0 || towardNext; }
  bool operator==(const FieldTime&) const = default;
};

/// The moment `time` of data whose steps are at `times`, which do not decrease; before the first step that
/// step, after the last one the last.
FieldTime fieldTimeAt(std::span<const double> times, double time);

}  // namespace farfield::fields
