#include "plugins/vtkfile/hidden_nodes.h"

#include <algorithm>

#include "core/base/bytes.h"
#include "core/base/stoppable_waits.h"

namespace farfield::vtkfile {
namespace {

/// Which numbers of a list in a box have a bit.
std::vector<char> bitsIn(const arrays::PlacedArray& list, const IndexBox& box, std::int64_t bit) {
  const ScalarType type = arrays::keptAs(list.type);
  const auto count = product(box.size);
  std::vector<std::byte> stored(static_cast<std::size_t>(count * sizeOf(type)));
  arrays::readBox(list, 0, box, 0, 1, stored);
  std::vector<char> bits(static_cast<std::size_t>(count));
  for (std::int64_t n = 0; n < count; ++n)
    bits[static_cast<std::size_t>(n)] =
        (static_cast<std::int64_t>(valueAt(stored.data(), type, n)) & bit) != 0;
  return bits;
}

struct Range {
  std::int64_t first, last;
};

/// Along an axis of `nodes`: the nodes of cell `index`, or the cells around node `index`.
Range around(std::int64_t index, std::int64_t nodes, bool ofCell) {
  if (nodes == 1) return {0, 0};
  if (ofCell) return {index, index + 1};
  return {std::max<std::int64_t>(index - 1, 0), std::min(index, nodes - 2)};
}

/// Blanks in `valid`, of the nodes or cells of `box`, those that all cells around are hidden of, or any node is.
void blankByOthers(const arrays::PlacedArray& others, const Index3& nodes, bool ofCells, const IndexBox& box,
                   std::vector<char>& hidden) {
  IndexBox region;
  for (std::size_t a = 0; a < 3; ++a) {
    region.first[a] = around(box.first[a], nodes[a], ofCells).first;
    region.size[a] = around(box.first[a] + box.size[a] - 1, nodes[a], ofCells).last - region.first[a] + 1;
  }
  const std::vector<char> bits = bitsIn(others, region, ofCells ? kHiddenPoint : kHiddenCell);
  for (std::int64_t n = 0; n < product(box.size); ++n) {
    const Index3 at = unlinear(n, box.size);
    std::array<Range, 3> ranges;
    for (std::size_t a = 0; a < 3; ++a) ranges[a] = around(box.first[a] + at[a], nodes[a], ofCells);
    bool any = false, all = true;
    Index3 other;
    for (other[2] = ranges[2].first; other[2] <= ranges[2].last; ++other[2])
      for (other[1] = ranges[1].first; other[1] <= ranges[1].last; ++other[1])
        for (other[0] = ranges[0].first; other[0] <= ranges[0].last; ++other[0]) {
          Index3 inRegion;
          for (std::size_t a = 0; a < 3; ++a) inRegion[a] = other[a] - region.first[a];
          const bool bit = bits[static_cast<std::size_t>(linear(inRegion, region.size))] != 0;
          any = any || bit;
          all = all && bit;
        }
    if (ofCells ? any : all) hidden[static_cast<std::size_t>(n)] = 1;
  }
}

}  // namespace

bool hasHidden(const VtkArray& list, std::int64_t bit, std::int64_t& left) {
  arrays::PlacedArray placed = placedOf(list);
  placed.steps.push_back(list.pieces);
  for (const arrays::Piece& piece : list.pieces) {
    left -= std::min(left, product(piece.nodes.size));
    if (!piece.bytes) return true;
  }
  arrays::checkPlaces(placed, 1);
  if (left == 0) return true;
  for (const arrays::Piece& piece : list.pieces) {
    // a row at a time, so that memory stays small
    IndexBox row = piece.nodes;
    row.size[1] = row.size[2] = 1;
    for (std::int64_t n = 0; n < piece.nodes.size[1] * piece.nodes.size[2]; ++n) {
      StoppableWaits::throwIfStopped();
      row.first[1] = piece.nodes.first[1] + n % piece.nodes.size[1];
      row.first[2] = piece.nodes.first[2] + n / piece.nodes.size[1];
      const std::vector<char> bits = bitsIn(placed, row, bit);
      if (std::find(bits.begin(), bits.end(), 1) != bits.end()) return true;
    }
  }
  return false;
}

arrays::ComputedArray hiddenNodes(std::vector<HiddenLists> lists, const Index3& nodes, bool ofCells) {
  return [lists = std::move(lists), nodes, ofCells](std::int64_t step, const IndexBox& box, int, int,
                                                    std::span<std::byte> out) {
    const HiddenLists& its = lists[lists.size() > 1 ? static_cast<std::size_t>(step) : 0];
    const auto& own = ofCells ? its.cells : its.points;
    const auto& others = ofCells ? its.points : its.cells;
    // layer by layer, so that memory stays small
    IndexBox layer = box;
    layer.size[2] = 1;
    std::byte* to = out.data();
    for (std::int64_t k = 0; k < box.size[2]; ++k) {
      layer.first[2] = box.first[2] + k;
      std::vector<char> hidden(static_cast<std::size_t>(product(layer.size)));
      if (own) hidden = bitsIn(*own, layer, ofCells ? kHiddenCell : kHiddenPoint);
      if (others) blankByOthers(*others, nodes, ofCells, layer, hidden);
      for (const char isHidden : hidden) {
        const std::int16_t valid = isHidden ? 0 : 1;
        store(to, valid);
        to += sizeof valid;
      }
    }
  };
}

}  // namespace farfield::vtkfile
