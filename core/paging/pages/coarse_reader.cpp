#include "core/paging/pages/coarse_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>

#include "core/paging/pages/component_reader.h"
#include "core/paging/pages/lattice_reader.h"

namespace farfield::paging {
namespace {

constexpr std::int64_t kPieceBytes = 64 << 10;
/// From this level on data that are computed are asked for node by node: of a row three of four would be for nothing.
constexpr int kByNodeFrom = 2;

/// Reads a box of the fine nodes.
using Fetch = std::function<void(const IndexBox& box, std::span<std::byte> out)>;

/// How a value between nodes is made from those around it.
enum class Blend { Linear, Nearest, Blank };

struct Level {
  Index3 fineDims;
  int level;
  GridKind kind;
  int components;

  FineNode at(int axis, std::int64_t node) const {
    return fineNode(node, fineDims[static_cast<std::size_t>(axis)], level, kind);
  }
};

/// The fine rows of a coarse row (one, two or four), with their weights.
struct RowPart {
  std::int64_t j, k;
  double weight;
};

FineNode nearest(FineNode node) {
  return {node.below + (node.beyond >= 0.5), 0};
}

template <class T>
T rounded(double value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::lround(value));
  else
    return static_cast<T>(value);
}

template <class T>
class RowMaker {
 public:
  RowMaker(const Level& level, Blend blend, const Fetch& fetch, bool byNode)
      : m_level(level), m_blend(blend), m_fetch(fetch), m_byNode(byNode) {
    const std::int64_t nodeBytes = level.components * std::int64_t{sizeof(T)};
    const std::int64_t most = std::max<std::int64_t>(kPieceBytes / nodeBytes, 4);
    // from the first node to the last of a piece there are fewer steps than nodes, and one more may follow
    m_nodesPerPiece = std::max<std::int64_t>((most - 3) >> level.level, 1);
  }

  void make(const IndexBox& box, T* out) {
    for (std::int64_t k = 0; k < box.size[2]; ++k)
      for (std::int64_t j = 0; j < box.size[1]; ++j)
        for (std::int64_t i = 0; i < box.size[0]; i += m_nodesPerPiece) {
          const std::int64_t count = std::min(m_nodesPerPiece, box.size[0] - i);
          piece({box.first[0] + i, box.first[1] + j, box.first[2] + k}, count, out);
          out += count * m_level.components;
        }
  }

 private:
  FineNode at(int axis, std::int64_t node) const {
    const FineNode exact = m_level.at(axis, node);
    return m_blend == Blend::Nearest ? nearest(exact) : exact;
  }

  std::vector<RowPart> partsOf(std::int64_t j, std::int64_t k) const {
    const FineNode inJ = at(1, j), inK = at(2, k);
    std::vector<RowPart> parts;
    for (int dk = 0; dk <= (inK.beyond > 0); ++dk)
      for (int dj = 0; dj <= (inJ.beyond > 0); ++dj)
        parts.push_back({inJ.below + dj, inK.below + dk,
                         (dj ? inJ.beyond : 1 - inJ.beyond) * (dk ? inK.beyond : 1 - inK.beyond)});
    return parts;
  }

  void piece(const Index3& first, std::int64_t count, T* out) {
    const auto components = static_cast<std::size_t>(m_level.components);
    m_sums.resize(static_cast<std::size_t>(count) * components);
    const std::int64_t begin = at(0, first[0]).below;
    const FineNode last = at(0, first[0] + count - 1);
    const std::int64_t size = last.below + (last.beyond > 0) + 1 - begin;
    m_fine.resize(static_cast<std::size_t>(m_byNode ? 2 : size) * components);
    bool isFirst = true;
    for (const RowPart& part : partsOf(first[1], first[2])) {
      if (!m_byNode)
        m_fetch({{begin, part.j, part.k}, {size, 1, 1}}, std::as_writable_bytes(std::span(m_fine)));
      for (std::int64_t n = 0; n < count; ++n) {
        const FineNode node = at(0, first[0] + n);
        const T* here = m_fine.data();
        if (m_byNode) {
          const std::int64_t nodes = node.beyond > 0 ? 2 : 1;
          m_fetch(
              {{node.below, part.j, part.k}, {nodes, 1, 1}},
              std::as_writable_bytes(std::span(m_fine).first(static_cast<std::size_t>(nodes) * components)));
        } else {
          here += static_cast<std::size_t>(node.below - begin) * components;
        }
        double* const sum = &m_sums[static_cast<std::size_t>(n) * components];
        for (std::size_t c = 0; c < components; ++c) {
          take(static_cast<double>(here[c]), part.weight * (1 - node.beyond), isFirst, sum[c]);
          if (node.beyond > 0)
            take(static_cast<double>(here[c + components]), part.weight * node.beyond, false, sum[c]);
        }
      }
      isFirst = false;
    }
    std::transform(m_sums.begin(), m_sums.end(), out, rounded<T>);
  }

  /// A value with weight 0 is not used: it may be infinite.
  void take(double value, double weight, bool first, double& sum) const {
    if (m_blend == Blend::Linear)
      sum = first ? weight * value : sum + weight * value;
    else if (first || value == 0)
      sum = value;
  }

  Level m_level;
  Blend m_blend;
  const Fetch& m_fetch;
  bool m_byNode;
  std::int64_t m_nodesPerPiece;
  std::vector<T> m_fine;
  std::vector<double> m_sums;
};

void makeBox(const Level& level, ScalarType type, bool isBlank, const IndexBox& box, const Fetch& fetch,
             bool byNode, std::span<std::byte> out) {
  const Blend forIntegers = isBlank ? Blend::Blank : Blend::Nearest;
  const auto make = [&]<class T>(T, Blend blend) {
    RowMaker<T>(level, blend, fetch, byNode).make(box, reinterpret_cast<T*>(out.data()));
  };
  switch (type) {
    case ScalarType::F32:
      return make(float{}, Blend::Linear);
    case ScalarType::F64:
      return make(double{}, Blend::Linear);
    case ScalarType::U8:
      return make(std::uint8_t{}, forIntegers);
    case ScalarType::I8:
      return make(std::int8_t{}, forIntegers);
    case ScalarType::U16:
      return make(std::uint16_t{}, forIntegers);
    case ScalarType::I16:
      return make(std::int16_t{}, forIntegers);
    case ScalarType::I32:
      return make(std::int32_t{}, forIntegers);
  }
}

/// The nodes of the data that those of `box` are made from.
Lattice latticeOf(const Level& level, const IndexBox& box) {
  Lattice lattice;
  for (std::size_t a = 0; a < 3; ++a) {
    std::vector<std::int64_t>& nodes = lattice[a];
    const auto add = [&nodes](std::int64_t node) {
      if (nodes.empty() || nodes.back() < node) nodes.push_back(node);
    };
    for (std::int64_t n = 0; n < box.size[a]; ++n) {
      const FineNode node = level.at(static_cast<int>(a), box.first[a] + n);
      add(node.below);
      if (node.beyond > 0) add(node.below + 1);
    }
  }
  return lattice;
}

/// Gives rows of nodes that follow each other in the data, out of the `nodes` of a lattice.
Fetch fetchFrom(const Lattice& lattice, std::span<const std::byte> nodes, std::size_t nodeBytes) {
  return [&lattice, nodes, nodeBytes](const IndexBox& box, std::span<std::byte> out) {
    std::array<std::size_t, 3> at{};
    for (std::size_t a = 0; a < 3; ++a)
      at[a] = static_cast<std::size_t>(std::lower_bound(lattice[a].begin(), lattice[a].end(), box.first[a]) -
                                       lattice[a].begin());
    const std::size_t first = at[0] + lattice[0].size() * (at[1] + lattice[1].size() * at[2]);
    std::memcpy(out.data(), nodes.data() + first * nodeBytes, out.size());
  };
}

class CoarseReader : public BoxReader {
 public:
  CoarseReader(std::shared_ptr<const BoxReader> fine, const CoarseChoice& choice)
      : m_fine(std::move(fine)),
        m_lattices(dynamic_cast<const LatticeReader*>(m_fine.get())),
        m_choice(choice),
        m_description(m_fine->description()) {
    const std::vector<ArrayDescription>& arrays = m_fine->description().arrays;
    m_description.arrays.clear();
    if (choice.step) {
      const std::vector<double>& times = m_fine->description().times;
      m_description.times = {times.at(static_cast<std::size_t>(*choice.step))};
    }
    for (std::size_t first = 0; first < arrays.size();) {
      std::size_t end = first;
      while (end < arrays.size() && arrays[end].block == arrays[first].block) ++end;
      for (int level = 0; level < choice.levels; ++level)
        for (std::size_t a = first; a < end; ++a) add(a, level);
      first = end;
    }
    if (choice.first == 0) return;
    m_description.surfaces.clear();
    m_description.storedBytes = 0;
    for (BlockDescription& block : m_description.blocks) block = coarseBlock(block, choice.first);
  }

  const DatasetDescription& description() const override { return m_description; }
  bool isComputed() const override { return m_fine->isComputed(); }
  void checkUnchanged() const override { m_fine->checkUnchanged(); }

  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    const Origin& origin = m_origins.at(array);
    if (origin.level == 0) return m_fine->read(origin.array, stepOf(origin, step), box, out);
    if (m_lattices) return makeOfLattice(array, step, box, out);
    make(array, m_description.arrays[array].components, box, out,
         [&](const IndexBox& fineBox, std::span<std::byte> nodes) {
           m_fine->read(origin.array, stepOf(origin, step), fineBox, nodes);
         });
  }

 protected:
  struct Origin {
    std::uint32_t array;
    int level;  ///< of the fine data's
  };
  const Origin& originOf(std::uint32_t array) const { return m_origins.at(array); }
  std::int64_t stepOf(const Origin& origin, std::int64_t step) const {
    if (!m_choice.step) return step;
    return m_fine->description().arrays[origin.array].steps > 1 ? *m_choice.step : 0;
  }

  void make(std::uint32_t array, int components, const IndexBox& box, std::span<std::byte> out,
            const Fetch& fetch) const {
    const Origin& origin = m_origins[array];
    makeFrom(array, components, box, fetch, isComputed() && origin.level >= kByNodeFrom, out);
  }

 private:
  Level levelOf(const Origin& origin, int components) const {
    const ArrayDescription& from = m_fine->description().arrays[origin.array];
    const GridKind kind = m_description.blocks[static_cast<std::size_t>(from.block)].kind;
    return {from.layout.dims(), origin.level, kind, components};
  }

  void makeFrom(std::uint32_t array, int components, const IndexBox& box, const Fetch& fetch, bool byNode,
                std::span<std::byte> out) const {
    const Origin& origin = m_origins[array];
    const ArrayDescription& from = m_fine->description().arrays[origin.array];
    makeBox(levelOf(origin, components), from.type, from.role == ArrayRole::Blanking, box, fetch, byNode,
            out);
  }

  void makeOfLattice(std::uint32_t array, std::int64_t step, const IndexBox& box,
                     std::span<std::byte> out) const {
    const Origin& origin = m_origins[array];
    const auto nodeBytes = static_cast<std::size_t>(m_description.arrays[array].nodeBytes());
    const int components = m_description.arrays[array].components;
    const Lattice lattice = latticeOf(levelOf(origin, components), box);
    std::vector<std::byte> nodes(lattice[0].size() * lattice[1].size() * lattice[2].size() * nodeBytes);
    m_lattices->readLattice(origin.array, stepOf(origin, step), lattice, nodes);
    makeFrom(array, components, box, fetchFrom(lattice, nodes, nodeBytes), true, out);
  }

  /// Only arrays with a value at every node have coarser levels.
  void add(std::size_t number, int level) {
    ArrayDescription array = m_fine->description().arrays[number];
    if (array.detail > 0) return;
    const auto& chosen = m_choice.arrays;
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), number) == chosen.end()) return;
    const int ofFine = m_choice.first + level;
    if (ofFine > 0) {
      const auto block = static_cast<std::size_t>(array.block);
      if (array.layout.dims() != m_fine->description().blocks.at(block).dims) return;
      const Index3 dims = coarseDims(array.layout.dims(), ofFine);
      if (level > 0) array.name = coarseName(level, array.name);
      array.detail = level;
      array.layout = PageLayout::ofExtent(dims, dims);
    }
    if (m_choice.step) array.steps = 1;
    m_description.arrays.push_back(std::move(array));
    m_origins.push_back({static_cast<std::uint32_t>(number), ofFine});
  }

  const std::shared_ptr<const BoxReader> m_fine;
  const LatticeReader* const m_lattices;  ///< a side of it; null: it is read row by row
  const CoarseChoice m_choice;
  DatasetDescription m_description;
  std::vector<Origin> m_origins;  ///< parallel to the description's arrays
};

class CoarseComponentReader final : public CoarseReader, public ComponentReader {
 public:
  CoarseComponentReader(std::shared_ptr<const BoxReader> fine, const ComponentReader& components,
                        const CoarseChoice& choice)
      : CoarseReader(std::move(fine), choice), m_components(components) {}

  void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                     std::span<std::byte> out) const override {
    const Origin& origin = originOf(array);
    step = stepOf(origin, step);
    if (origin.level == 0) return m_components.readComponent(origin.array, step, component, box, out);
    make(array, 1, box, out, [&](const IndexBox& fineBox, std::span<std::byte> nodes) {
      m_components.readComponent(origin.array, step, component, fineBox, nodes);
    });
  }

 private:
  const ComponentReader& m_components;  ///< a side of the fine reader
};

}  // namespace

std::unique_ptr<BoxReader> makeCoarseReader(std::shared_ptr<const BoxReader> fine,
                                            const CoarseChoice& choice) {
  if (const auto* const components = dynamic_cast<const ComponentReader*>(fine.get()))
    return std::make_unique<CoarseComponentReader>(std::move(fine), *components, choice);
  return std::make_unique<CoarseReader>(std::move(fine), choice);
}

}  // namespace farfield::paging
