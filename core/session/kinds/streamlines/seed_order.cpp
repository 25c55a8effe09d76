#include "core/session/kinds/streamlines/seed_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace farfield::session {
namespace {

constexpr int kBitsOfLayer = 16, kBitsAcross = 24;
constexpr double kFineness = 64;  ///< steps across a layer, per edge of a page
constexpr std::uint64_t kShareOfFree = 16;

}  // namespace

SeedOrder::SeedOrder(const flow::SeedSet& seeds, const std::optional<FlowSketch>& sketch,
                     const paging::DatasetDescription& description, MemoryAccount& account) {
  const std::size_t count = seeds.count();
  if (!sketch || count > std::numeric_limits<std::uint32_t>::max()) return;
  Bounds bounds;
  for (const paging::BlockDescription& block : description.blocks) bounds.add(block.bounds);
  if (bounds.empty() || !(bounds.diagonal() > 0) || !std::isfinite(bounds.diagonal())) return;
  using Placed = std::pair<std::uint64_t, std::uint32_t>;
  // where memory is scarce it is kept for what is indispensable
  if (account.obtainableBytes() / kShareOfFree < count * (sizeof(std::uint32_t) + sizeof(Placed))) return;
  std::optional<MemoryClaim> claim = account.tryClaim(Purpose::Work, count * sizeof(std::uint32_t));
  const std::optional<MemoryClaim> forSorting = account.tryClaim(Purpose::Work, count * sizeof(Placed));
  if (!claim || !forSorting) return;

  // without a direction of the flow, x changes fastest, as pages and most sets of seeds are numbered
  std::array<int, 3> axes{2, 1, 0};
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int a, int b) { return sketch->drift[a] < sketch->drift[b]; });
  // at most as many layers, and steps across them, as their numbers have bits for
  const double least = bounds.diagonal() / ((1 << (kBitsOfLayer - 1)) - 1);
  const auto pagesAlong = [&](Vec3 at, int axis) {
    return (std::clamp(at[axis], bounds.min[axis], bounds.max[axis]) - bounds.min[axis]) /
           std::max(least, sketch->pageSize[axis]);  // the first where the second is NaN
  };
  std::vector<Placed> placed(count);
  for (std::size_t n = 0; n < count; ++n) {
    const Vec3 at = seeds.at(n, {});
    const double layers = pagesAlong(at, axes[0]);
    const auto layer = static_cast<std::uint64_t>(layers);
    const auto inLayer = static_cast<std::uint64_t>(layers * kFineness);
    auto across = static_cast<std::uint64_t>(pagesAlong(at, axes[1]) * kFineness);
    // back and forth: the next layer begins where the last one ended
    if (layer % 2 == 1) across = (std::uint64_t{1} << kBitsAcross) - 1 - across;
    placed[n] = {(layer << kBitsAcross | across) << kBitsAcross | inLayer, static_cast<std::uint32_t>(n)};
  }
  std::sort(placed.begin(), placed.end());
  m_seeds.reserve(count);
  for (const Placed& seed : placed) m_seeds.push_back(seed.second);
  m_claim = std::move(*claim);
}

}  // namespace farfield::session
