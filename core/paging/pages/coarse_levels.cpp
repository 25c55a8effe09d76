#include "core/paging/pages/coarse_levels.h"

#include <algorithm>
#include <charconv>

namespace farfield::paging {
namespace {

constexpr char kPrefix[] = "level", kAttribute[] = "levels";
constexpr std::int64_t kSmallNodes = 64 * 64 * 64;

std::int64_t coarseCells(std::int64_t dims, int level) {
  const std::int64_t cells = dims - 1;
  const std::int64_t step = std::int64_t{1} << level;
  return cells / step + (cells % step != 0);
}

std::int64_t nodesAt(const DatasetDescription& data, int level) {
  std::int64_t nodes = 0;
  for (const BlockDescription& block : data.blocks) nodes += product(coarseDims(block.dims, level));
  return nodes;
}

}  // namespace

std::string coarseName(int level, const std::string& name) {
  return kPrefix + std::to_string(level) + "." + name;
}

std::optional<CoarseName> coarseNameFrom(const std::string& name) {
  constexpr std::size_t kPrefixLength = sizeof kPrefix - 1;
  if (!name.starts_with(kPrefix)) return std::nullopt;
  CoarseName result;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefixLength, end, result.level);
  if (error != std::errc() || end - stop < 2 || *stop != '.') return std::nullopt;
  if (result.level < 1 || result.level >= kMostLevels) return std::nullopt;
  result.name.assign(stop + 1, end);
  if (coarseName(result.level, result.name) != name) return std::nullopt;  // "level01.q"
  return result;
}

Index3 coarseDims(const Index3& dims, int level) {
  return {coarseCells(dims[0], level) + 1, coarseCells(dims[1], level) + 1, coarseCells(dims[2], level) + 1};
}

BlockDescription coarseBlock(const BlockDescription& block, int level) {
  BlockDescription coarse = block;
  coarse.dims = coarseDims(block.dims, level);
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    if (coarse.dims[axis] > 1)
      coarse.spacing[a] *=
          static_cast<double>(block.dims[axis] - 1) / static_cast<double>(coarse.dims[axis] - 1);
  }
  if (block.axes) {
    auto axes = std::make_shared<GridAxes>();
    for (std::size_t a = 0; a < 3; ++a)
      for (std::int64_t n = 0; n < coarse.dims[a]; ++n)
        (*axes)[a].push_back((*block.axes)[a][static_cast<std::size_t>(
            fineNode(n, block.dims[a], level, GridKind::Rectilinear).below)]);
    coarse.axes = std::move(axes);
  }
  return coarse;
}

IndexBox coarseNodes(const IndexBox& nodes, const Index3& dims, int level) {
  IndexBox coarse;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const std::int64_t last = dims[axis] - 1, end = coarseCells(dims[axis], level);
    const auto above = [&](std::int64_t node) {
      return std::min(end, (node + (std::int64_t{1} << level) - 1) >> level);
    };
    const std::int64_t high = nodes.first[axis] + nodes.size[axis] - 1;
    coarse.first[axis] = nodes.first[axis] == last ? end : nodes.first[axis] >> level;
    coarse.size[axis] = nodes.size[axis] == 1 ? 1 : above(high) - coarse.first[axis] + 1;
  }
  return coarse;
}

FineNode fineNode(std::int64_t node, std::int64_t dims, int level, GridKind kind) {
  if (dims == 1) return {};
  if (kind != GridKind::Regular) return {std::min(node << level, dims - 1), 0};
  // In integers, so that a node that coincides with one of the data is exactly that one.
  const std::int64_t cells = dims - 1, coarse = coarseCells(dims, level);
  // Products of two numbers of cells, of which there may be up to 2^52.
  const auto beyond = static_cast<__int128>(node) * (cells % coarse);
  const std::int64_t below = node * (cells / coarse) + static_cast<std::int64_t>(beyond / coarse);
  const auto rest = static_cast<std::int64_t>(beyond % coarse);
  return {below, static_cast<double>(rest) / static_cast<double>(coarse)};
}

int levelsOf(const DatasetDescription& data, int wanted) {
  int levels = 1;
  while (levels < (wanted > 0 ? std::min(wanted, kMostLevels) : kMostLevels)) {
    if (wanted == 0 && nodesAt(data, levels - 1) <= kSmallNodes) break;
    if (nodesAt(data, levels) == nodesAt(data, levels - 1)) break;
    ++levels;
  }
  return levels;
}

int levelsIn(const DatasetDescription& store) {
  int coarsest = 0;
  for (const ArrayDescription& array : store.arrays) coarsest = std::max(coarsest, array.detail);
  return coarsest + 1;
}

void sayLevels(DatasetDescription& data, int levels) {
  data.attributes.erase(kAttribute);
  if (levels > 1) data.attributes[kAttribute] = std::to_string(levels);
}

int levelsSaid(const DatasetDescription& data) {
  const auto said = data.attributes.find(kAttribute);
  if (said == data.attributes.end()) return 1;
  int levels = 1;
  std::from_chars(said->second.data(), said->second.data() + said->second.size(), levels);
  return std::clamp(levels, 1, kMostLevels);
}

}  // namespace farfield::paging
