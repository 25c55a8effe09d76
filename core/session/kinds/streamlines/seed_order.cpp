#include "core/session/kinds/streamlines/seed_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace farfield::session {
namespace {

constexpr std::size_t kFew = 64;  ///< all in flight at once, in any order
constexpr int kBitsPerAxis = 20;
constexpr std::uint64_t kShareOfFree = 16;

/// The edge of a cube that has as large a part of the data's bounding box as a page on average.
double boxEdge(const paging::DatasetDescription& description, const Bounds& bounds) {
  std::vector<std::int64_t> pages(description.blocks.size(), 1);
  for (const paging::ArrayDescription& array : description.arrays) {
    std::int64_t& most = pages[static_cast<std::size_t>(array.block)];
    most = std::max(most, array.layout.pageCount());
  }
  double count = 0;
  for (const std::int64_t each : pages) count += static_cast<double>(each);
  const Vec3 extent = bounds.max - bounds.min;
  double volume = 1;
  int axes = 0;
  for (int a = 0; a < 3; ++a)
    if (extent[a] > 0) {
      volume *= extent[a];
      ++axes;
    }
  const double edge = axes > 0 ? std::pow(volume / count, 1.0 / axes) : 1;
  // Not more boxes along an axis than their numbers have bits for.
  const double least = bounds.diagonal() / (1 << (kBitsPerAxis - 1));
  return std::max(edge, least);
}

}  // namespace

SeedOrder::SeedOrder(const flow::SeedSet& seeds, bool inOrder, const paging::DatasetDescription& description,
                     MemoryAccount& account) {
  const std::size_t count = seeds.count();
  if (inOrder || count <= kFew || count > std::numeric_limits<std::uint32_t>::max()) return;
  Bounds bounds;
  for (const paging::BlockDescription& block : description.blocks) bounds.add(block.bounds);
  if (bounds.empty()) return;
  using Placed = std::pair<std::uint64_t, std::uint32_t>;
  // Where memory is scarce it is kept for what cannot be done without.
  if (account.obtainableBytes() / kShareOfFree < count * (sizeof(std::uint32_t) + sizeof(Placed))) return;
  std::optional<MemoryClaim> claim = account.tryClaim(Purpose::Work, count * sizeof(std::uint32_t));
  const std::optional<MemoryClaim> forSorting = account.tryClaim(Purpose::Work, count * sizeof(Placed));
  if (!claim || !forSorting) return;

  const double edge = boxEdge(description, bounds);
  std::vector<Placed> placed(count);
  for (std::size_t n = 0; n < count; ++n) {
    const Vec3 at = seeds.at(n, {});
    std::uint64_t box = 0;
    for (int a = 2; a >= 0; --a) {  // along x fastest, as pages and most sets of seeds are numbered
      const double from = std::clamp(at[a], bounds.min[a], bounds.max[a]) - bounds.min[a];
      box = box << kBitsPerAxis | static_cast<std::uint64_t>(from / edge);
    }
    placed[n] = {box, static_cast<std::uint32_t>(n)};
  }
  std::sort(placed.begin(), placed.end());
  m_seeds.reserve(count);
  for (const Placed& seed : placed) m_seeds.push_back(seed.second);
  m_claim = std::move(*claim);
}

}  // namespace farfield::session
