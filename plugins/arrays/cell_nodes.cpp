#include "plugins/arrays/cell_nodes.h"

#include <algorithm>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/arrays/axes.h"

namespace farfield::arrays {
namespace {

constexpr std::int64_t kMostNodes = std::int64_t{1} << 26;

/// Nodes of the file along an axis around a node: the two of its cell, or the one of an end.
struct Around {
  std::int64_t lower, upper;
};
Around around(std::int64_t node, std::int64_t nodes) {
  return {std::max<std::int64_t>(node - 1, 0), std::min(node, nodes - 1)};
}

/// Computes a layer of the box along k at a time, so that memory stays small.
template <class Fill>
void byLayers(const IndexBox& box, Fill fill) {
  IndexBox layer = box;
  layer.size[2] = 1;
  for (std::int64_t k = 0; k < box.size[2]; ++k) {
    layer.first[2] = box.first[2] + k;
    fill(layer);
  }
}

/// The mean of eight numbers; where blocks meet it is the same to the last digit from both sides, in whatever order they have them.
double meanOf(std::array<double, 8>& corners, bool isAtEnd) {
  if (isAtEnd) std::sort(corners.begin(), corners.end());
  double sum = 0;
  for (const double corner : corners) sum += corner;
  return sum / 8;
}

}  // namespace

Index3 cellNodes(const Index3& nodes) {
  Index3 counts = nodes;
  for (std::int64_t& count : counts) count += count > 1 ? 1 : 0;
  return counts;
}

void placeOnCellNodes(PlacedArray& ofCells, const Index3& nodes) {
  for (std::size_t a = 0; a < 3; ++a)
    if (nodes[a] > 1) ofCells.between[a] = {.numbers = nodes[a] - 1, .lower = -1, .isNearest = true};
}

ComputedArray onCellNodes(ComputedArray ofCells, const Index3& nodes, int bytes) {
  PlacedArray places;
  placeOnCellNodes(places, nodes);
  return [ofCells = std::move(ofCells), between = places.between, bytes](
             std::int64_t step, const IndexBox& box, int first, int count, std::span<std::byte> out) {
    readNearest(between, box, bytes, out, [&](const IndexBox& cells, std::span<std::byte> to) {
      ofCells(step, cells, first, count, to);
    });
  };
}

std::vector<double> cellNodesOf(const std::vector<double>& axis) {
  if (axis.size() < 2) return axis;
  std::vector<double> nodes;
  nodes.reserve(axis.size() + 1);
  nodes.push_back(axis.front());
  for (std::size_t n = 0; n + 1 < axis.size(); ++n) nodes.push_back(axis[n] + 0.5 * (axis[n + 1] - axis[n]));
  nodes.push_back(axis.back());
  return nodes;
}

ComputedArray cellNodesOf(PointReader points, const Index3& nodes) {
  return [points = std::move(points), nodes](std::int64_t step, const IndexBox& box, int first, int count,
                                             std::span<std::byte> out) {
    std::byte* to = out.data();
    std::vector<double> numbers;
    byLayers(box, [&](const IndexBox& layer) {
      IndexBox wanted;
      for (std::size_t a = 0; a < 3; ++a) {
        wanted.first[a] = around(layer.first[a], nodes[a]).lower;
        wanted.size[a] = around(layer.first[a] + layer.size[a] - 1, nodes[a]).upper - wanted.first[a] + 1;
      }
      points(step, wanted, first, count, numbers);
      for (std::int64_t n = 0; n < product(layer.size); ++n) {
        const Index3 at = unlinear(n, layer.size);
        std::array<std::int64_t, 8> corners{};
        bool isAtEnd = false;
        for (std::size_t a = 0, stride = 1; a < 3; ++a) {
          const Around its = around(layer.first[a] + at[a], nodes[a]);
          isAtEnd = isAtEnd || (its.lower == its.upper && nodes[a] > 1);
          for (std::size_t corner = 0; corner < 8; ++corner)
            corners[corner] += static_cast<std::int64_t>(stride) *
                               (((corner >> a & 1U) != 0 ? its.upper : its.lower) - wanted.first[a]);
          stride *= static_cast<std::size_t>(wanted.size[a]);
        }
        for (int c = 0; c < count; ++c, to += sizeof(double)) {
          std::array<double, 8> values;
          for (std::size_t corner = 0; corner < 8; ++corner)
            values[corner] = numbers[static_cast<std::size_t>(corners[corner] * count + c)];
          store(to, meanOf(values, isAtEnd));
        }
      }
    });
  };
}

void placeCellNodes(Vec3 origin, const std::array<Vec3, 3>& directions, const Index3& nodes,
                    paging::DatasetDescription& description, std::vector<ArrayPlace>& places,
                    MemoryAccount& account, std::vector<MemoryClaim>& claims) {
  paging::BlockDescription& block = description.blocks.front();
  block.dims = nodes;
  placeNodes(origin, directions, description, places);
  block.dims = cellNodes(nodes);
  if (block.kind == paging::GridKind::Regular) {
    const Vec3 edges = block.spacing;
    // unlike an origin and a spacing, axes take memory, whatever a wrong file says of its size
    for (const std::int64_t count : nodes)
      if (count > kMostNodes)
        throw Unsupported("has too many cells along an axis", "show values of nodes, or cut it");
    const MemoryClaim claim = account.claimInEarnest(
        Purpose::Work, 2 * sizeof(double) * static_cast<std::uint64_t>(nodes[0] + nodes[1] + nodes[2]),
        "the axes of the grid");
    paging::GridAxes axes;
    for (std::size_t a = 0; a < 3; ++a) {
      const int axis = static_cast<int>(a);
      std::vector<double> positions;
      for (std::int64_t n = 0; n < nodes[a]; ++n)
        positions.push_back(origin[axis] + edges[axis] * static_cast<double>(n));
      axes[a] = cellNodesOf(positions);
    }
    placeAxes(std::move(axes), description, places, account, claims);
    for (std::size_t a = 0; a < 3; ++a)
      if (nodes[a] == 1) block.spacing[static_cast<int>(a)] = edges[static_cast<int>(a)];
    return;
  }
  auto ofFile = std::get<ComputedArray>(std::move(places.back()));
  places.back() = cellNodesOf(
      [ofFile = std::move(ofFile)](std::int64_t step, const IndexBox& box, int first, int count,
                                   std::vector<double>& numbers) {
        numbers.resize(static_cast<std::size_t>(product(box.size) * count));
        ofFile(step, box, first, count, std::as_writable_bytes(std::span(numbers)));
      },
      nodes);
  description.arrays.back() = describeCoordinates(block.dims, ScalarType::F64, 1);
}

IndexBox cellNodesIn(const IndexBox& range, const Index3& nodes) {
  IndexBox found = range;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto nodeOf = [&](std::int64_t node) {
      return nodes[a] > 1 && node == nodes[a] - 1 ? nodes[a] : node;
    };
    found.first[a] = nodeOf(range.first[a]);
    found.size[a] = nodeOf(range.first[a] + range.size[a] - 1) - found.first[a] + 1;
  }
  return found;
}

}  // namespace farfield::arrays
