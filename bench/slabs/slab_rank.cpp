#include "bench/slabs/slab_rank.h"

#include <algorithm>
#include <numeric>

#include "bench/shared/measure.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabd/slab_loader.h"

namespace farfield::bench {

SlabRank::SlabRank(const Request& request, const fields::OpenData& data, std::int64_t steps,
                   const SlabShare& share)
    : m_steps(steps),
      m_account(request.memoryBytes),
      m_painter(data, m_account, {request.processors, request.folder}) {
  m_show.by = share.by;
  m_show.axis = 2;
  m_show.pixels = share.pixels;
  m_show.mesh = false;
  m_show.look.opacity = {{-2, 0.1}, {0, 0}, {2, 0.1}};
  m_show.look.unitLength = 0.1;
  m_show.scale.min = -2;
  m_show.scale.max = 2;
  std::vector<std::uint32_t> ranks(share.ranks);
  std::iota(ranks.begin(), ranks.end(), 0u);
  const remote::Planned plan =
      remote::SlabCosts(m_painter.facts()).slabs(m_show.axis, std::max(kSlabsOfRank, share.ranks), ranks);
  for (std::size_t n = 0; n < plan.ranks.size(); ++n)
    if (plan.ranks[n] == share.rank) m_parts.push_back({plan.edges[n], plan.edges[n + 1]});
}

double SlabRank::load(std::int64_t step) {
  const Stopwatch watch;
  loading(step)({});
  return watch.seconds();
}

double SlabRank::render(std::int64_t step) {
  const Stopwatch watch;
  m_show.step = step;
  for (std::uint32_t n = 0; n < m_parts.size(); ++n) {
    const remote::PaintedSlab slab = m_painter.slab(m_show, n, m_parts[n][0], m_parts[n][1], {});
    for (const std::uint8_t value : slab.rgba) m_sum += value;
  }
  return watch.seconds();
}

double SlabRank::overlapped() {
  const Stopwatch watch;
  remote::SlabLoader loader;
  load(0);
  for (std::int64_t step = 0; step < m_steps; ++step) {
    if (step + 1 < m_steps) loader.start(loading(step + 1), static_cast<std::uint64_t>(step + 1));
    render(step);
    loader.wait();
  }
  return watch.seconds();
}

remote::SlabPainter::Load SlabRank::loading(std::int64_t step) {
  return m_painter.load(m_show, m_show.axis, step, m_parts);
}

}  // namespace farfield::bench
