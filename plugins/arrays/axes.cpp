#include "plugins/arrays/axes.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace farfield::arrays {
namespace {

double meanDistance(const std::vector<double>& axis) {
  return (axis.back() - axis.front()) / static_cast<double>(axis.size() - 1);
}

}  // namespace

void turnRound(PlacedArray& array, std::size_t axis, std::int64_t nodes) {
  if (Between& between = array.between[axis]; between.numbers > 0) {
    between.lower = between.numbers - nodes - between.lower - (between.isNearest ? 0 : 1);
    nodes = between.numbers;
  }
  for (std::vector<Piece>& pieces : array.steps)
    for (Piece& piece : pieces) {
      const std::int64_t last = (piece.nodes.size[axis] - 1) * piece.strides[axis];
      piece.offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(piece.offset) + last);
      piece.strides[axis] = -piece.strides[axis];
      piece.nodes.first[axis] = nodes - piece.nodes.first[axis] - piece.nodes.size[axis];
    }
}

std::vector<double> readAxis(const PlacedArray& axis, std::int64_t count, MemoryAccount& account) {
  const ScalarType type = axis.valueType();
  const auto numbers = static_cast<std::size_t>(count);
  const MemoryClaim claim =
      account.claimInEarnest(Purpose::Work, numbers * static_cast<std::size_t>(8 + sizeOf(type)), "an axis");
  std::vector<std::byte> stored(numbers * static_cast<std::size_t>(sizeOf(type)));
  readBox(axis, 0, {{0, 0, 0}, {count, 1, 1}}, 0, 1, stored);
  std::vector<double> values(numbers);
  toDouble(stored.data(), type, 0, count, values.data());
  return values;
}

void placeAxes(paging::GridAxes axes, paging::DatasetDescription& description,
               std::vector<ArrayPlace>& places, MemoryAccount& account, std::vector<MemoryClaim>& claims) {
  paging::BlockDescription& block = description.blocks.front();
  double distance = 0;
  int distances = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string name(1, "xyz"[a]);
    std::vector<double>& axis = axes[a];
    if (axis.size() > 1 && axis.back() < axis.front()) {
      std::reverse(axis.begin(), axis.end());
      for (ArrayPlace& place : places) {
        if (auto* const placed = std::get_if<PlacedArray>(&place)) turnRound(*placed, a, block.dims[a]);
        if (auto* const gathered = std::get_if<GatheredArray>(&place))
          for (PlacedArray& placed : *gathered) turnRound(placed, a, block.dims[a]);
      }
    }
    for (std::size_t n = 0; n < axis.size(); ++n)
      if (!std::isfinite(axis[n]) || (n > 0 && !(axis[n] > axis[n - 1])))
        throw Corrupt("its axis along " + name + " does not ascend or descend at node " + std::to_string(n),
                      "check the file");
    if (axis.size() > 1) {
      distance += meanDistance(axis);
      ++distances;
    }
  }
  block.kind = paging::GridKind::Rectilinear;
  for (std::size_t a = 0; a < 3; ++a)
    block.spacing[static_cast<int>(a)] = axes[a].size() > 1 ? meanDistance(axes[a])
                                         : distances > 0    ? distance / distances
                                                            : 1;
  block.origin = {axes[0].front(), axes[1].front(), axes[2].front()};
  block.bounds = {};
  block.bounds.add(block.origin);
  block.bounds.add(Vec3{axes[0].back(), axes[1].back(), axes[2].back()});
  claims.push_back(account.claimInEarnest(Purpose::Index,
                                          sizeof(double) * (axes[0].size() + axes[1].size() + axes[2].size()),
                                          "the axes of the grid"));
  block.axes = std::make_shared<const paging::GridAxes>(std::move(axes));
}

}  // namespace farfield::arrays
