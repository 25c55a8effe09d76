#include "core/fields/cells/field_time.h"

#include <algorithm>

namespace farfield::fields {

FieldTime fieldTimeAt(std::span<const double> times, double time) {
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  if (next == times.begin()) return {};
  const std::int64_t step = next - times.begin() - 1;
  if (next == times.end()) return {step};
  const double weight = (time - *(next - 1)) / (*next - *(next - 1));
  return weight < 1 ? FieldTime{step, weight} : FieldTime{step + 1};
}

}  // namespace farfield::fields
