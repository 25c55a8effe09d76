#include "plugins/cf/cf_same_axes.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "core/base/units.h"
#include "plugins/arrays/axes.h"
#include "plugins/cf/cf_places.h"

namespace farfield::cf {
namespace {

/// How far nodes may be apart that are the same: parts of a cell, and what f32 rounds.
double slackOf(const std::vector<double>& nodes) {
  const auto [least, greatest] = std::minmax_element(nodes.begin(), nodes.end());
  return std::max(0.01 * (*greatest - *least) / static_cast<double>(nodes.size()),
                  2e-7 * std::max(std::abs(*least), std::abs(*greatest)));
}

}  // namespace

KnownAxes::KnownAxes(const File& first, const CfGrid& grid, MemoryAccount& account) : m_account(account) {
  for (const int dimension : grid.space) {
    const Variable* const along = coordinatesOf(first, dimension);
    if (!along) continue;
    const std::int64_t count = first.sizeOf(dimension);
    const auto bytes = static_cast<std::uint64_t>(checkedProduct({count, std::int64_t{sizeof(double)}}));
    Axis axis{along->name, {}, account.claimInEarnest(Purpose::Work, bytes, "an axis"), 0};
    axis.nodes = arrays::readAxis(axisOf(first, *along, count), count, account);
    axis.slack = slackOf(axis.nodes);
    m_axes.push_back(std::move(axis));
  }
}

void KnownAxes::requireSame(const File& other) const {
  for (const Axis& axis : m_axes) {
    StoppableWaits::throwIfStopped();
    const auto count = static_cast<std::int64_t>(axis.nodes.size());
    const Variable* const its = other.variable(axis.name);
    if (!its || !its->hasNumbers() || its->dims.size() != 1 || other.sizeOf(its->dims[0]) != count) continue;
    const std::vector<double> nodes = arrays::readAxis(axisOf(other, *its, count), count, m_account);
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (std::abs(nodes[n] - axis.nodes[n]) > axis.slack)
        throw Invalid("has another axis " + printable(axis.name) + " than the first of the files: " +
                          formatRounded(nodes[n]) + " where that has " + formatRounded(axis.nodes[n]),
                      "give files of one grid, or open them one at a time");
  }
}

}  // namespace farfield::cf
