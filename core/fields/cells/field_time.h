#pragma once
// A moment of data given at steps. Between two steps everything that has steps is linear in time: the values
// at the nodes, and the coordinates of the nodes if the grid moves. On the way from one step to the next values may be
// cubic instead (step_curve.h); coordinates never are.

#include <cstdint>
#include <span>

namespace farfield::fields {

/// How values follow from those at steps.
enum class BetweenSteps { Linear, Cubic };

/// On `step`, or between it and the next one.
struct FieldTime {
  std::int64_t step = 0;
  double weight = 0;  ///< of the next step, 0 <= weight < 1; with 0 the next step is not read
  /// True for motion from `step` to the next one, which exists and is read whatever the weight is; the weight
  /// may then be 1. The velocity in a cell (Sampler::flowIn) then changes in time.
  bool towardNext = false;
  BetweenSteps between = BetweenSteps::Linear;  ///< with towardNext; values at times of it
  bool isCubic() const { return towardNext && between == BetweenSteps::Cubic; }
  bool readsNext() const { return weight > 0 || towardNext; }
  bool operator==(const FieldTime&) const = default;
};

/// The moment `time` of data whose steps are at `times`, which do not decrease; before the first step that
/// step, after the last one the last.
FieldTime fieldTimeAt(std::span<const double> times, double time);

}  // namespace farfield::fields
