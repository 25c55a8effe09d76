#include "core/session/terms.h"

#include "core/base/overloaded.h"

namespace farfield::session {

std::optional<std::int64_t> countOf(const Seeds& seeds) {
  using Count = std::optional<std::int64_t>;
  return std::visit(
      Overloaded{[](const PointSeeds& s) -> Count { return static_cast<std::int64_t>(s.points.size()); },
                 [](const LineSeeds& s) -> Count { return s.count; },
                 [](const PlaneSeeds& s) -> Count { return s.counts[0] * s.counts[1]; },
                 [](const BoxSeeds& s) -> Count { return s.counts[0] * s.counts[1] * s.counts[2]; },
                 [](const GridPointSeeds&) -> Count { return std::nullopt; },
                 [](const SpreadSeeds& s) -> Count { return s.count; }},
      seeds);
}

}  // namespace farfield::session
