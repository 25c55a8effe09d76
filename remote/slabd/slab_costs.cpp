#include "remote/slabd/slab_costs.h"

#include <algorithm>
#include <cmath>

#include "render/volume/brick.h"

namespace farfield::remote {
namespace {

/// Cells between an edge and the nearest end of a brick; parts that are hardly thicker are not changed.
constexpr std::int64_t kClear = 2, kLeastCellsToMove = 16;

}  // namespace

double SlabCosts::edgeAt(int axis, double fraction, std::size_t parts) const {
  const std::int64_t cells = m_facts.nodes[static_cast<std::size_t>(axis)] - 1;
  const double low = m_facts.bounds.min[axis], high = m_facts.bounds.max[axis];
  if (fraction >= 1) return high;
  auto node = static_cast<std::int64_t>(std::round(fraction * static_cast<double>(cells)));
  // samples lie up to a cell beyond: an edge between bricks, or next to one, would have the bricks of both sides read for both parts
  const std::int64_t within = node % volume::kBrickCells;
  if (node > 0 && cells / static_cast<std::int64_t>(parts) >= kLeastCellsToMove) {
    if (within < kClear) node += kClear - within;
    if (volume::kBrickCells - within < kClear) node -= kClear - (volume::kBrickCells - within);
  }
  return low + (high - low) * static_cast<double>(std::min(node, cells)) / static_cast<double>(cells);
}

void SlabCosts::note(int axis, double low, double high, double seconds) {
  const double begin = m_facts.bounds.min[axis], extent = m_facts.bounds.max[axis] - begin;
  if (!(seconds >= 0) || !(high > low)) return;
  auto& bins = m_seconds[static_cast<std::size_t>(axis)];
  const auto first = static_cast<std::size_t>(
      std::clamp((low - begin) / extent * kBins, 0.0, static_cast<double>(kBins - 1)));
  const auto last =
      static_cast<std::size_t>(std::clamp(std::ceil((high - begin) / extent * kBins),
                                          static_cast<double>(first + 1), static_cast<double>(kBins)));
  for (std::size_t n = first; n < last; ++n) bins[n] = seconds / static_cast<double>(last - first);
}

double SlabCosts::costBetween(int axis, double low, double high) const {
  const double begin = m_facts.bounds.min[axis], extent = m_facts.bounds.max[axis] - begin;
  const auto& bins = m_seconds[static_cast<std::size_t>(axis)];
  double cost = 0;
  for (std::size_t n = 0; n < kBins; ++n) {
    const double from = begin + extent * static_cast<double>(n) / kBins,
                 to = begin + extent * static_cast<double>(n + 1) / kBins;
    const double common = std::min(to, high) - std::max(from, low);
    if (common > 0) cost += bins[n] * common / (to - from);
  }
  return cost;
}

Planned SlabCosts::slabs(int axis, std::uint32_t count, const std::vector<std::uint32_t>& ranks) const {
  Planned plan;
  plan.axis = static_cast<std::uint8_t>(axis);
  const auto cells = m_facts.nodes[static_cast<std::size_t>(axis)] - 1;
  count = static_cast<std::uint32_t>(std::min<std::int64_t>(count, cells));
  for (std::uint32_t n = 0; n <= count; ++n)
    plan.edges.push_back(edgeAt(axis, static_cast<double>(n) / count, count));
  std::vector<double> costs;
  double all = 0;
  for (std::uint32_t n = 0; n < count; ++n) {
    // none is for nothing, so that each slab moves on in the list
    costs.push_back(std::max(costBetween(axis, plan.edges[n], plan.edges[n + 1]), 1e-9));
    all += costs.back();
  }
  double before = 0;
  for (std::uint32_t n = 0; n < count; ++n) {
    // the rank in whose share the middle of the slab's cost lies
    const double place = (before + 0.5 * costs[n]) / all * static_cast<double>(ranks.size());
    plan.ranks.push_back(ranks[std::min(ranks.size() - 1, static_cast<std::size_t>(place))]);
    before += costs[n];
  }
  return plan;
}

Planned SlabCosts::parts(int axis, const std::vector<std::uint32_t>& ranks) const {
  Planned plan;
  plan.axis = static_cast<std::uint8_t>(axis);
  const auto& bins = m_seconds[static_cast<std::size_t>(axis)];
  double all = 0;
  for (const double seconds : bins) all += std::max(seconds, 1e-9);
  plan.edges.push_back(edgeAt(axis, 0, 1));
  double before = 0;
  for (std::size_t n = 0; n < kBins; ++n) {
    const double cost = std::max(bins[n], 1e-9);
    while (plan.ranks.size() + 1 < ranks.size()) {
      const double share =
          all * static_cast<double>(plan.ranks.size() + 1) / static_cast<double>(ranks.size());
      if (before + cost < share) break;
      plan.edges.push_back(
          edgeAt(axis, (static_cast<double>(n) + (share - before) / cost) / static_cast<double>(kBins),
                 ranks.size()));
      plan.ranks.push_back(ranks[plan.ranks.size()]);
    }
    before += cost;
  }
  while (plan.ranks.size() < ranks.size()) {
    plan.edges.push_back(edgeAt(axis, 1, 1));
    plan.ranks.push_back(ranks[plan.ranks.size()]);
  }
  return plan;
}

}  // namespace farfield::remote
