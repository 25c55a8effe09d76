#include "core/paging/store/index_shape.h"

#include "core/base/bytes.h"

namespace farfield::paging::detail {

void storeSummary(std::byte* to, const PageSummary& summary) {
  for (const ValueRange& range : summary.components) {
    store(to, range.min);
    store(to + 8, range.max);
    to += 16;
  }
  store(to, std::uint64_t{summary.hasNonFinite ? 1u : 0u});
}

PageSummary loadSummary(const std::byte* from, int components) {
  PageSummary summary(components);
  for (ValueRange& range : summary.components) {
    range.min = load<double>(from);
    range.max = load<double>(from + 8);
    from += 16;
  }
  summary.hasNonFinite = (load<std::uint64_t>(from) & 1) != 0;
  return summary;
}

}  // namespace farfield::paging::detail
