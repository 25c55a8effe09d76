#include "core/session/run/lines/spread_seeds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::session {
namespace {

/// The node at `share` (0 … 1) of an axis of `nodes` nodes; not an end if there are nodes between.
std::int64_t nodeOf(double share, std::int64_t nodes) {
  const std::int64_t inside = nodes - 2;
  if (inside < 1) return 0;
  return 1 + std::min(inside - 1, static_cast<std::int64_t>(share * static_cast<double>(inside)));
}

double fraction(double value) {
  return value - std::floor(value);
}

class SpreadSeeds final : public flow::SeedSet {
 public:
  SpreadSeeds(const paging::DatasetDescription& description, std::int64_t count, std::int64_t step) {
    if (count < 1)
      throw Invalid(std::to_string(count) + " is not a number of seeds", "give a count from 1").at("count");
    std::vector<bool> there;
    if (step >= 0) there = paging::blocksAt(description, step);
    if (std::find(there.begin(), there.end(), true) == there.end())
      there.assign(description.blocks.size(), true);
    const auto blocks = static_cast<std::int64_t>(std::count(there.begin(), there.end(), true));
    if (blocks == 0) throw Invalid("the data have no block");
    double all = 0;
    std::vector<double> upTo;  // nodes inside this block and those before it
    for (const paging::BlockDescription& block : description.blocks) {
      double inside = there[upTo.size()] ? 1 : 0;
      for (const std::int64_t nodes : block.dims)
        inside *= static_cast<double>(std::max<std::int64_t>(1, nodes - 2));
      upTo.push_back(all += inside);
      m_dims.push_back(block.dims);
    }
    const std::int64_t each = count >= blocks ? 1 : 0;
    const auto shared = static_cast<double>(count - each * blocks);
    std::int64_t before = 0;
    for (std::size_t b = 0; b < there.size(); ++b) {
      before += there[b] ? each : 0;
      m_end.push_back(static_cast<std::int64_t>(shared * (upTo[b] / all)) + before);
    }
  }

  std::size_t count() const override { return static_cast<std::size_t>(m_end.back()); }

  Vec3 at(std::size_t n, const flow::NodeCoordinates& nodeAt) const override {
    const auto seed = static_cast<std::int64_t>(n);
    const auto block =
        static_cast<std::size_t>(std::upper_bound(m_end.begin(), m_end.end(), seed) - m_end.begin());
    const auto number = static_cast<double>(seed - (block > 0 ? m_end[block - 1] : 0));
    // powers of 1/g, where g⁴ = g + 1; the first seed lies in the middle
    constexpr double kParts[] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    Index3 node;
    for (std::size_t a = 0; a < 3; ++a)
      node[a] = nodeOf(fraction(0.5 + number * kParts[a]), m_dims[block][a]);
    return nodeAt(static_cast<int>(block), node);
  }

 private:
  std::vector<Index3> m_dims;
  std::vector<std::int64_t> m_end;  ///< by block: number of the first seed after its own
};

}  // namespace

std::unique_ptr<flow::SeedSet> spreadSeeds(const paging::DatasetDescription& description, std::int64_t count,
                                           std::int64_t step) {
  return std::make_unique<SpreadSeeds>(description, count, step);
}

}  // namespace farfield::session
