#include "core/session/run/lines/space_seeds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::session {
namespace {

constexpr std::int64_t kLeastBoxes = 64, kMostBoxes = 512;  // that the volume is cut into, about
constexpr double kBoxesPerSeed = 2;
constexpr std::int64_t kBoxesByCells = 64;   // at least so many, where there are as many cells
constexpr std::size_t kMostLookedAt = 1024;  // boxes that may have seeds
constexpr std::int64_t kNodesPerSeed = 4;    // of unstructured blocks, that are looked at
constexpr std::int64_t kNodesPerBin = 4;     // of these, about
constexpr int kCurveBits = 16;               // along an axis
constexpr double kNothing = 1e-6;            // part of a cube about the bounds that is taken for none

/// Of a block: cells from `first` on; of an unstructured one nodes.
struct Box {
  int block = 0;
  Index3 first{0, 0, 0}, cells{1, 1, 1};
  Vec3 middle;
  double size = 0;
  int longest = 0;  ///< axis
};

double fraction(double value) {
  return value - std::floor(value);
}

bool isUnstructured(const paging::DatasetDescription& data, int block) {
  return data.blocks[static_cast<std::size_t>(block)].isUnstructured();
}

/// Axes along which a block has cells.
int axesOf(const paging::BlockDescription& block) {
  if (block.isUnstructured()) return 3;
  return static_cast<int>(std::count_if(block.dims.begin(), block.dims.end(), [](auto n) { return n > 1; }));
}

using Corners = std::array<Vec3, 8>;

/// The mean of the edges along an axis.
Vec3 meanEdge(const Corners& at, std::size_t axis) {
  Vec3 sum;
  for (std::size_t c = 0; c < 8; ++c)
    if (!(c >> axis & 1)) sum = sum + (at[c | std::size_t{1} << axis] - at[c]);
  return sum * 0.25;
}
double edgeLength(const Corners& at, std::size_t axis) {
  double sum = 0;
  for (std::size_t c = 0; c < 8; ++c)
    if (!(c >> axis & 1)) sum += length(at[c | std::size_t{1} << axis] - at[c]);
  return sum;
}

/// Volume of a box with these corners, area or length of one without cells along other axes.
double sizeOf(const Corners& at, const Index3& dims) {
  std::array<Vec3, 3> edges{};
  std::size_t count = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (dims[a] > 1) edges[count++] = meanEdge(at, a);
  double size = 0;
  if (count == 3) size = std::abs(dot(edges[0], cross(edges[1], edges[2])));
  if (count == 2) size = length(cross(edges[0], edges[1]));
  if (count == 1) size = length(edges[0]);
  return std::isfinite(size) ? size : 0;
}

/// The node at the far end of `cells` cells, or the same where the block is flat.
Index3 cornerOf(const Box& box, const Index3& dims, std::size_t corner) {
  Index3 node = box.first;
  for (std::size_t a = 0; a < 3; ++a)
    if (corner >> a & 1) node[a] = std::min(dims[a] - 1, node[a] + box.cells[a]);
  return node;
}

/// Number of a place along Morton's curve through the bounds.
std::uint64_t curveNumber(Vec3 at, const Bounds& bounds) {
  const Vec3 size = bounds.max - bounds.min;
  const double longest = std::max({size.x, size.y, size.z});
  std::uint64_t number = 0;
  constexpr double kCells = 1 << kCurveBits;
  for (int a = 0; a < 3; ++a) {
    const double share = longest > 0 ? (at[a] - bounds.min[a]) / longest : 0;
    const auto cell =
        static_cast<std::uint64_t>(std::isfinite(share) ? std::clamp(share * kCells, 0.0, kCells - 1) : 0);
    for (int bit = 0; bit < kCurveBits; ++bit) number |= (cell >> bit & 1) << (3 * bit + a);
  }
  return number;
}

class Sketch {
 public:
  Sketch(const paging::DatasetDescription& data, std::int64_t count, std::int64_t step,
         const ReadPlaces& read)
      : m_data(data), m_count(count), m_read(read) {
    std::vector<bool> there;
    if (step >= 0) there = paging::blocksAt(data, step);
    if (std::find(there.begin(), there.end(), true) == there.end()) there.assign(data.blocks.size(), true);
    for (std::size_t b = 0; b < there.size(); ++b)
      if (there[b]) {
        m_blocks.push_back(static_cast<int>(b));
        m_axes = std::max(m_axes, axesOf(data.blocks[b]));
        m_bounds.add(data.blocks[b].bounds);
      }
    if (m_blocks.empty()) throw Invalid("the data have no block");
  }

  std::vector<Box> make() {
    cutBlocks();
    scatterNodes();
    order();
    keepSome();
    leaveBlanks();
    return std::move(m_boxes);
  }

 private:
  std::int64_t wished() const {
    return std::clamp(
        static_cast<std::int64_t>(kBoxesPerSeed * static_cast<double>(std::min(m_count, kMostBoxes))),
        kLeastBoxes, kMostBoxes);
  }
  const Index3& dimsOf(const Box& box) const {
    return m_data.blocks[static_cast<std::size_t>(box.block)].dims;
  }

  /// Reads the corners of boxes, and says how large they are.
  void measure(std::span<Box> boxes) const {
    std::vector<BlockNode> nodes;
    nodes.reserve(boxes.size() * 8);
    for (const Box& box : boxes)
      for (std::size_t c = 0; c < 8; ++c) nodes.push_back({box.block, cornerOf(box, dimsOf(box), c)});
    const std::vector<NodePlace> places = m_read(nodes, false);
    for (std::size_t n = 0; n < boxes.size(); ++n) {
      Corners at;
      Vec3 sum;
      for (std::size_t c = 0; c < 8; ++c) sum = sum + (at[c] = places[8 * n + c].at);
      Box& box = boxes[n];
      box.middle = sum * 0.125;
      // what is flat among what is not has no volume
      box.size =
          axesOf(m_data.blocks[static_cast<std::size_t>(box.block)]) == m_axes ? sizeOf(at, dimsOf(box)) : 0;
      double longest = -1;
      for (std::size_t a = 0; a < 3; ++a)
        if (const double along = edgeLength(at, a); box.cells[a] > 1 && along > longest) {
          longest = along;
          box.longest = static_cast<int>(a);
        }
    }
  }

  /// The axis along which a box is cut next; none where it stays as it is.
  std::optional<std::size_t> cutAlong(const Box& box, double cells, double volume) const {
    const auto most =
        static_cast<std::size_t>(std::max_element(box.cells.begin(), box.cells.end()) - box.cells.begin());
    if (box.cells[most] < 2) return std::nullopt;
    const Vec3 extent = m_data.blocks[static_cast<std::size_t>(box.block)].bounds.max -
                        m_data.blocks[static_cast<std::size_t>(box.block)].bounds.min;
    // An O that closes has corners that say nothing of it before it is cut.
    const double around = std::pow(length(extent), m_axes);
    const auto its = static_cast<double>(product(box.cells));
    const bool closed = box.size < kNothing * around && its > cells / static_cast<double>(8 * kBoxesByCells);
    if (closed || its * static_cast<double>(kBoxesByCells) > cells) return most;
    if (box.size * static_cast<double>(wished()) > volume) return static_cast<std::size_t>(box.longest);
    return std::nullopt;
  }

  void cutBlocks() {
    double cells = 0;
    for (const int block : m_blocks) {
      if (isUnstructured(m_data, block)) continue;
      Box box;
      box.block = block;
      for (std::size_t a = 0; a < 3; ++a) box.cells[a] = std::max<std::int64_t>(1, dimsOf(box)[a] - 1);
      cells += static_cast<double>(product(box.cells));
      m_boxes.push_back(box);
    }
    measure(m_boxes);
    const std::size_t most = m_boxes.size() + kMostLookedAt;
    while (m_boxes.size() < most) {
      double volume = 0;
      for (const Box& box : m_boxes) volume += box.size;
      std::vector<Box> parts;
      std::erase_if(m_boxes, [&](const Box& box) {
        const auto axis = cutAlong(box, cells, volume);
        if (!axis) return false;
        Box low = box, high = box;
        low.cells[*axis] = box.cells[*axis] / 2;
        high.first[*axis] += low.cells[*axis];
        high.cells[*axis] -= low.cells[*axis];
        parts.push_back(low);
        parts.push_back(high);
        return true;
      });
      if (parts.empty()) return;
      measure(parts);
      m_boxes.insert(m_boxes.end(), parts.begin(), parts.end());
    }
  }

  /// Nodes of unstructured blocks, by their numbers; what lies in one bin shares its volume.
  void scatterNodes() {
    double all = 0;
    for (const int block : m_blocks)
      if (isUnstructured(m_data, block))
        all += static_cast<double>(m_data.blocks[static_cast<std::size_t>(block)].dims[0]);
    if (all == 0 || m_axes < 3) return;
    const double looked = static_cast<double>(
        std::clamp(kNodesPerSeed * std::min(m_count, kMostBoxes), kLeastBoxes, std::int64_t{kMostLookedAt}));
    std::vector<Box> ranges;
    std::vector<BlockNode> nodes;
    Bounds bounds;
    for (const int block : m_blocks) {
      if (!isUnstructured(m_data, block)) continue;
      const std::int64_t its = m_data.blocks[static_cast<std::size_t>(block)].dims[0];
      const auto count =
          std::clamp<std::int64_t>(static_cast<std::int64_t>(looked * (static_cast<double>(its) / all)), 1,
                                   std::max<std::int64_t>(1, its));
      for (std::int64_t n = 0; n < count; ++n) {
        const std::int64_t first = its / count * n + its % count * n / count;
        const std::int64_t end = its / count * (n + 1) + its % count * (n + 1) / count;
        Box& range = ranges.emplace_back();
        range.block = block;
        range.first[0] = first;
        range.cells[0] = end - first;
        nodes.push_back({block, {first + (end - first) / 2, 0, 0}});
      }
      bounds.add(m_data.blocks[static_cast<std::size_t>(block)].bounds);
    }
    const std::vector<NodePlace> places = m_read(nodes, false);
    const Vec3 extent = bounds.max - bounds.min;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const double bins = std::max(1.0, static_cast<double>(ranges.size()) / static_cast<double>(kNodesPerBin));
    // cubes, as many as there would be if they filled the bounds; of flat ones squares
    double volume = 1, axes = 0;
    for (int a = 0; a < 3; ++a)
      if (extent[a] > 1e-3 * longest) volume *= extent[a], ++axes;
    const double edge = axes > 0 ? std::pow(volume / bins, 1 / axes) : 1;
    const auto binOf = [&](Vec3 at) {
      std::array<std::int64_t, 3> bin{};
      for (int a = 0; a < 3; ++a) {
        const double number = std::floor((at[a] - bounds.min[a]) / edge);
        bin[static_cast<std::size_t>(a)] =
            std::isfinite(number) ? static_cast<std::int64_t>(std::clamp(number, 0.0, 1e6)) : 0;
      }
      return bin;
    };
    std::map<std::array<std::int64_t, 3>, double> inBin;
    for (const NodePlace& place : places) ++inBin[binOf(place.at)];
    for (std::size_t n = 0; n < ranges.size(); ++n) {
      ranges[n].middle = places[n].at;
      ranges[n].size = edge * edge * edge / inBin[binOf(places[n].at)];
    }
    m_boxes.insert(m_boxes.end(), ranges.begin(), ranges.end());
  }

  void order() {
    double volume = 0;
    for (const Box& box : m_boxes) volume += box.size;
    if (volume > 0)
      std::erase_if(m_boxes, [](const Box& box) { return !(box.size > 0); });
    else  // all nodes in one place, or none where they are numbers
      for (Box& box : m_boxes) box.size = static_cast<double>(product(box.cells));
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    for (std::size_t n = 0; n < m_boxes.size(); ++n)
      places.emplace_back(curveNumber(m_boxes[n].middle, m_bounds), n);
    std::sort(places.begin(), places.end());
    std::vector<Box> boxes;
    boxes.reserve(places.size());
    for (const auto& place : places) boxes.push_back(m_boxes[place.second]);
    m_boxes = std::move(boxes);
  }

  /// Of very many blocks some stand for all, at equal distances along the curve.
  void keepSome() {
    if (m_boxes.size() <= kMostLookedAt) return;
    double volume = 0;
    for (const Box& box : m_boxes) volume += box.size;
    std::vector<Box> kept;
    double upTo = 0, taken = 0;
    const double each = volume / static_cast<double>(kMostLookedAt);
    for (Box& box : m_boxes) {
      upTo += box.size;
      const double times = std::floor(upTo / each + 0.5) - taken;
      if (times < 1) continue;
      taken += times;
      box.size = times * each;
      kept.push_back(box);
    }
    m_boxes = std::move(kept);
  }

  void leaveBlanks() {
    std::vector<BlockNode> nodes;
    std::vector<std::size_t> boxes;
    for (std::size_t n = 0; n < m_boxes.size(); ++n) {
      const Box& box = m_boxes[n];
      if (!m_data.blocks[static_cast<std::size_t>(box.block)].hasIblank) continue;
      boxes.push_back(n);
      Box cell;
      cell.block = box.block;
      for (std::size_t a = 0; a < 3; ++a) cell.first[a] = box.first[a] + box.cells[a] / 2;
      for (std::size_t c = 0; c < 8; ++c) nodes.push_back({box.block, cornerOf(cell, dimsOf(cell), c)});
    }
    if (boxes.empty()) return;
    const std::vector<NodePlace> places = m_read(nodes, true);
    std::vector<bool> isBlank(m_boxes.size());
    std::size_t blanks = 0;
    for (std::size_t n = 0; n < boxes.size(); ++n) {
      const auto corners = std::span(places).subspan(8 * n, 8);
      if (std::any_of(corners.begin(), corners.end(), [](const NodePlace& place) { return place.isBlank; })) {
        isBlank[boxes[n]] = true;
        ++blanks;
      }
    }
    if (blanks == m_boxes.size()) return;
    std::vector<Box> kept;
    for (std::size_t n = 0; n < m_boxes.size(); ++n)
      if (!isBlank[n]) kept.push_back(m_boxes[n]);
    m_boxes = std::move(kept);
  }

  const paging::DatasetDescription& m_data;
  const std::int64_t m_count;
  const ReadPlaces& m_read;
  std::vector<int> m_blocks;
  int m_axes = 0;
  Bounds m_bounds;
  std::vector<Box> m_boxes;
};

class SpaceSeeds final : public flow::SeedSet {
 public:
  SpaceSeeds(const paging::DatasetDescription& data, const std::vector<Box>& boxes, std::int64_t count) {
    double all = 0, upTo = 0;
    for (const Box& box : boxes) all += box.size;
    for (const Box& box : boxes) {
      upTo += box.size;
      // the n-th seed stands at n + 1/2 of equal parts
      const auto end = &box == &boxes.back()
                           ? count
                           : std::min(count, static_cast<std::int64_t>(std::floor(
                                                 static_cast<double>(count) * (upTo / all) + 0.5)));
      const std::int64_t before = m_parts.empty() ? 0 : m_parts.back().end;
      if (end <= before) continue;
      Part part;
      part.block = box.block;
      part.first = box.first;
      part.cells = box.cells;
      part.end = end;
      part.isNode = isUnstructured(data, box.block);
      for (std::size_t a = 0; a < 3; ++a)
        part.isFlat[a] = data.blocks[static_cast<std::size_t>(box.block)].dims[a] < 2;
      m_parts.push_back(part);
    }
  }

  std::size_t count() const override { return static_cast<std::size_t>(m_parts.back().end); }

  Vec3 at(std::size_t n, const flow::NodeCoordinates& nodeAt) const override {
    const auto seed = static_cast<std::int64_t>(n);
    const auto part = std::upper_bound(m_parts.begin(), m_parts.end(), seed,
                                       [](std::int64_t number, const Part& its) { return number < its.end; });
    // powers of 1/g, where g⁴ = g + 1: seeds that follow one another lie apart in one box, and unlike in several
    constexpr double kParts[] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    Index3 cell = part->first;
    // where nodes are listed anyhow, the one that was looked at says nothing of its neighbours
    if (part->isNode && (part == m_parts.begin() ? seed == 0 : seed == std::prev(part)->end)) {
      cell[0] += part->cells[0] / 2;
      return nodeAt(part->block, cell);
    }
    Vec3 xi;
    for (std::size_t a = 0; a < 3; ++a) {
      if (part->isFlat[a]) continue;
      const double along =
          fraction(0.5 + static_cast<double>(seed) * kParts[a]) * static_cast<double>(part->cells[a]);
      const auto whole = std::min(part->cells[a] - 1, static_cast<std::int64_t>(along));
      cell[a] += whole;
      xi[static_cast<int>(a)] = along - static_cast<double>(whole);
    }
    if (part->isNode) return nodeAt(part->block, cell);
    Vec3 sum;
    for (std::size_t c = 0; c < 8; ++c) {
      Index3 node = cell;
      double weight = 1;
      for (std::size_t a = 0; a < 3; ++a) {
        const double share = xi[static_cast<int>(a)];
        node[a] += c >> a & 1;
        weight *= c >> a & 1 ? share : 1 - share;
      }
      if (weight > 0) sum = sum + weight * nodeAt(part->block, node);
    }
    return sum;
  }

 private:
  struct Part {
    int block = 0;
    Index3 first{0, 0, 0}, cells{1, 1, 1};
    std::int64_t end = 0;  ///< number of the first seed after its own
    bool isNode = false;
    std::array<bool, 3> isFlat{};
  };
  std::vector<Part> m_parts;
};

}  // namespace

std::unique_ptr<flow::SeedSet> seedsOverSpace(const paging::DatasetDescription& description,
                                              std::int64_t count, std::int64_t step, const ReadPlaces& read) {
  if (count < 1)
    throw Invalid(std::to_string(count) + " is not a number of seeds", "give a count from 1").at("count");
  return std::make_unique<SpaceSeeds>(description, Sketch(description, count, step, read).make(), count);
}

}  // namespace farfield::session
