#include "plugins/vtkfile/vtk_joined.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::vtkfile {
namespace {

constexpr std::int64_t kMostListed = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostSaid = 100;
const char* const kBlockName = "block";

bool areAlike(const VtkArray& a, const VtkArray& b) {
  return a.type == b.type && a.components == b.components && a.bigEndian == b.bigEndian;
}

/// The pieces of `from`, whose indices along i grow by `before`.
void append(VtkArray& to, VtkArray&& from, std::int64_t before) {
  for (arrays::Piece& piece : from.pieces) {
    piece.nodes.first[0] += before;
    to.pieces.push_back(std::move(piece));
  }
}

/// Coordinates and axes must be alike, because no grid remains without them.
void appendPlaces(std::optional<VtkArray>& to, std::optional<VtkArray>&& from, std::int64_t before) {
  if (!from) return;
  if (!to) {
    to = *from;
    to->pieces.clear();
  }
  if (!areAlike(*to, *from))
    throw Unsupported("its pieces have coordinates of different types", "write them alike");
  append(*to, std::move(*from), before);
}

class GridJoiner {
 public:
  explicit GridJoiner(VtkGrid first)
      : m_joined(std::move(first)), m_isListed(m_joined.kind == VtkKind::Unstructured) {}

  void add(VtkGrid&& grid) {
    if (grid.kind != m_joined.kind)
      throw Unsupported("its pieces are grids of different kinds", "write them alike");
    const std::int64_t nodes = m_isListed ? m_joined.nodes[0] : 0, cells = m_joined.listed;
    if (!m_isListed && grid.nodes != m_joined.nodes)
      throw Unsupported("its pieces are of different grids", "write them alike");
    appendPlaces(m_joined.points, std::move(grid.points), nodes);
    for (std::size_t a = 0; a < 3; ++a) appendPlaces(m_joined.axes[a], std::move(grid.axes[a]), 0);
    for (VtkArray& array : grid.arrays) {
      const auto same = std::find_if(
          m_joined.arrays.begin(), m_joined.arrays.end(),
          [&](const VtkArray& its) { return its.name == array.name && its.onCells == array.onCells; });
      // one that a piece lacks, or has in another type, is missing there, and left out by those who look
      if (same == m_joined.arrays.end()) {
        VtkArray made = array;
        made.pieces.clear();
        append(made, std::move(array), array.onCells ? cells : nodes);
        addArray(m_joined, std::move(made));
      } else if (areAlike(*same, array)) {
        append(*same, std::move(array), array.onCells ? cells : nodes);
      }
    }
    addHidden(m_joined.hiddenPoints, std::move(grid.hiddenPoints));
    addHidden(m_joined.hiddenCells, std::move(grid.hiddenCells));
    if (m_isListed) {
      for (VtkCells& list : grid.lists) {
        list.pointsBefore += nodes;
        m_joined.lists.push_back(std::move(list));
      }
      m_joined.nodes[0] += grid.nodes[0];
      m_joined.listed += grid.listed;
      if (m_joined.nodes[0] > kMostListed || m_joined.listed > kMostListed)
        throw Unsupported("has too many points or cells", "grids have up to 2^31 - 1");
    }
    for (std::string& note : grid.notes) {
      const bool isNew =
          std::find(m_joined.notes.begin(), m_joined.notes.end(), note) == m_joined.notes.end();
      if (isNew && m_joined.notes.size() < kMostSaid) m_joined.notes.push_back(std::move(note));
    }
  }
  VtkGrid take() {
    if (m_isListed && (m_joined.listed == 0 || !m_joined.points))
      throw Unsupported("has no cells", "give a grid with cells");
    return std::move(m_joined);
  }

 private:
  /// Without those of every piece the list is not whole, and not looked at.
  static void addHidden(std::optional<VtkArray>& all, std::optional<VtkArray> its) {
    if (!all)
      all = std::move(its);
    else if (its && its->type == all->type && its->bigEndian == all->bigEndian)
      all->pieces.insert(all->pieces.end(), its->pieces.begin(), its->pieces.end());
  }

  VtkGrid m_joined;
  const bool m_isListed;
};

/// The numbers of blocks, one for each cell, without an array of them.
class BlockNumbers final : public arrays::ByteSource {
 public:
  /// `ends`: the cells up to the end of each block.
  explicit BlockNumbers(std::vector<std::int64_t> ends) : m_ends(std::move(ends)) {}
  std::uint64_t size() const override { return static_cast<std::uint64_t>(m_ends.back()) * kBytes; }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    for (std::size_t n = 0; n < out.size(); ++n) {
      const std::uint64_t at = offset + n;
      const auto cell = static_cast<std::int64_t>(at / kBytes);
      const auto block =
          static_cast<std::int32_t>(std::upper_bound(m_ends.begin(), m_ends.end(), cell) - m_ends.begin());
      out[n] = reinterpret_cast<const std::byte*>(&block)[at % kBytes];
    }
  }

 private:
  static constexpr std::uint64_t kBytes = sizeof(std::int32_t);
  std::vector<std::int64_t> m_ends;
};

/// What a variable is: equal ones of two blocks are one variable of both.
using VariableKey = std::tuple<std::string, int, ScalarType, std::vector<std::string>>;

VariableKey keyOf(const paging::ArrayDescription& array) {
  return {array.name, array.components, array.type, array.componentNames};
}

/// How many of the blocks have each variable.
std::map<VariableKey, std::size_t> blocksOfVariables(const std::vector<VtkData>& blocks) {
  std::map<VariableKey, std::size_t> counts;
  for (const VtkData& block : blocks) {
    std::set<VariableKey> its;
    for (const paging::ArrayDescription& array : block.description.arrays)
      if (!array.isGrid()) its.insert(keyOf(array));
    for (const VariableKey& key : its) ++counts[key];
  }
  return counts;
}

}  // namespace

VtkGrid joined(std::vector<VtkGrid> grids) {
  GridJoiner joiner(std::move(grids.front()));
  for (std::size_t n = 1; n < grids.size(); ++n) joiner.add(std::move(grids[n]));
  return joiner.take();
}

VtkGrid joinedBlocks(std::vector<VtkGrid> blocks) {
  if (blocks.size() == 1) return joined(std::move(blocks));
  std::vector<std::int64_t> ends;
  for (const VtkGrid& block : blocks) ends.push_back((ends.empty() ? 0 : ends.back()) + block.listed);
  VtkGrid grid = joined(std::move(blocks));
  VtkArray numbers;
  numbers.name = kBlockName;
  numbers.onCells = true;
  numbers.type = arrays::NumberType::I32;
  const auto bytes = std::make_shared<const BlockNumbers>(std::move(ends));
  numbers.pieces.push_back(arrays::densePiece({grid.listed, 1, 1}, numbers.type, 1, false, bytes, 0));
  grid.arrays.push_back(std::move(numbers));
  return grid;
}

void sayTitles(const std::vector<std::string>& titles, std::vector<std::string>& explain,
               std::map<std::string, std::string>& attributes) {
  for (std::size_t n = 0; n < titles.size(); ++n) {
    if (titles[n].empty()) continue;
    const std::string number = std::to_string(n);
    attributes["block." + number] = titles[n];
    if (n < kMostSaid) explain.push_back("block " + number + ": " + printable(titles[n]));
  }
}

VtkData joined(std::vector<VtkData> blocks, const std::vector<std::string>& titles) {
  if (blocks.size() == 1) return std::move(blocks.front());
  VtkData all;
  all.description.format = blocks.front().description.format;
  all.description.times = blocks.front().description.times;
  all.description.attributes = blocks.front().description.attributes;
  sayTitles(titles, all.explain, all.description.attributes);
  std::set<std::string> said, leftOut;
  const auto counts = blocksOfVariables(blocks);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    VtkData& block = blocks[b];
    for (const std::string& line : block.explain)
      if (said.insert(line).second) all.explain.push_back(line);
    for (std::size_t n = 0; n < block.description.arrays.size(); ++n) {
      paging::ArrayDescription array = block.description.arrays[n];
      const bool everywhere = array.isGrid() || counts.at(keyOf(array)) == blocks.size();
      if (!everywhere) {
        leftOut.insert(array.name);
        continue;
      }
      array.block = static_cast<int>(b);
      all.description.arrays.push_back(std::move(array));
      all.places.push_back(block.places[n]);
    }
    all.description.blocks.push_back(block.description.blocks.front());
    for (MemoryClaim& claim : block.claims) all.claims.push_back(std::move(claim));
  }
  for (const std::string& name : leftOut)
    all.explain.push_back("left out: " + printable(name) + ", which not all blocks have");
  return all;
}

}  // namespace farfield::vtkfile
