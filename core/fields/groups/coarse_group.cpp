#include "core/fields/groups/coarse_group.h"

#include <algorithm>
#include <cmath>

#include "core/fields/cells/node_gradients.h"
#include "core/fields/functions/node_coordinates.h"

namespace farfield::fields {

CoarseGroup::CoarseGroup(int block, PagedData& data, tasks::TaskContext& context,
                         const SurfaceFunctions& functions, std::span<const double> values, std::int64_t step,
                         OfPlace ofPlace)
    : m_grid(data.description().blocks[static_cast<std::size_t>(block)]),
      m_functions(functions),
      m_values(values),
      m_ofPlace(std::move(ofPlace)),
      m_outputs(static_cast<std::size_t>(functions.shown.outputCount())),
      m_cursor(data.cache(), context, data.plan().mode),
      m_by(functions.by),
      m_shownFunctions(functions.shown),
      m_pieces(data, block, functions.by, step) {
  m_cursor.setStep(step);
  const BlockSlots bound = data.bind(m_cursor, block, *functions.all);
  m_bySlots = slotsOf(functions.by, *functions.all, bound);
  m_shownSlots = slotsOf(functions.shown, *functions.all, bound);
  m_field.resize(kMostNodes);
  m_xyz.resize(3 * kMostNodes);
  m_shown.resize(std::max<std::size_t>(1, m_outputs) * kMostNodes);
  m_usable.resize(kMostNodes);
  m_isKnown.resize(kMostNodes);
  m_isNeeded.resize(kMostNodes);
  const auto inputs =
      static_cast<std::size_t>(std::max({functions.by.inputCount(), functions.shown.inputCount(), 3}));
  m_layer.resize(inputs * kLayerNodes);
  m_inputs.resize(inputs);
}

std::uint64_t CoarseGroup::bytesFor(const paging::DatasetDescription& description,
                                    const SurfaceFunctions& functions) {
  const auto outputs = static_cast<std::uint64_t>(functions.shown.outputCount());
  const auto inputs =
      static_cast<std::uint64_t>(std::max({functions.by.inputCount(), functions.shown.inputCount(), 3}));
  const auto nodeByNode = [](const FunctionPlan& plan) {
    return plan.gradientCount() > 0 ? BoxFunctions::bytesFor(plan, {1, 1, 1}) : 0;
  };
  return sizeof(CoarseGroup) +
         kMostNodes * ((1 + 3 + 1 + std::max<std::uint64_t>(1, outputs)) * sizeof(double) + 2) +
         (kLayerNodes + 1) * inputs * sizeof(double) + nodeByNode(functions.by) +
         nodeByNode(functions.shown) + PagePieces::bytesFor(description, functions.by, kMostCells + 1);
}

Index3 CoarseGroup::placeOf(std::size_t node) const {
  Index3 at = unlinear(static_cast<std::int64_t>(node), m_size);
  for (std::size_t a = 0; a < 3; ++a) at[a] = m_places[a][static_cast<std::size_t>(at[a])];
  return at;
}

bool CoarseGroup::meets(const Interval& range) const {
  return std::any_of(m_values.begin(), m_values.end(),
                     [&](double value) { return range.low < value && value <= range.high; });
}

/// As far as known without reading. Nodes whose side is known get any number there.
bool CoarseGroup::mayBeCut(const IndexBox& cells) {
  std::fill_n(m_isKnown.begin(), nodeCount(), std::uint8_t{0});
  if (m_ofPlace) return true;
  const IndexBox nodes{cells.first, {cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1}};
  m_pieces.open(nodes);
  Interval all;
  m_pieces.forEach(nodes, [&](std::size_t piece, const IndexBox& part) {
    const Interval range = m_pieces.range(piece);
    all.low = std::min(all.low, range.low);
    all.high = std::max(all.high, range.high);
    if (meets(range) || range.empty() || range.mayBeNaN) return;
    // the net's nodes in the part
    Index3 from{0, 0, 0}, to{0, 0, 0}, at;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto end = m_places[a].begin() + m_size[a];
      from[a] = std::lower_bound(m_places[a].begin(), end, part.first[a]) - m_places[a].begin();
      to[a] = std::lower_bound(m_places[a].begin(), end, part.first[a] + part.size[a]) - m_places[a].begin();
    }
    for (at[2] = from[2]; at[2] < to[2]; ++at[2])
      for (at[1] = from[1]; at[1] < to[1]; ++at[1])
        for (at[0] = from[0]; at[0] < to[0]; ++at[0]) {
          const auto node = static_cast<std::size_t>(linear(at, m_size));
          m_isKnown[node] = 1;
          m_field[node] = range.low;
        }
  });
  return meets(all);
}

/// The nodes of cells that are cut; whether there are any.
bool CoarseGroup::findCut() {
  std::fill_n(m_isNeeded.begin(), nodeCount(), std::uint8_t{0});
  bool found = false;
  for (const double value : m_values)
    forEachCut(value, [&](const GroupCell& cell, unsigned) {
      found = true;
      for (const std::uint16_t node : cell.nodes) m_isNeeded[node] = 1;
    });
  return found;
}

/// The numbers of the net's nodes in one of its layers, of the array in `slot`: component fastest, then i, j. Of pages without a
/// node that is needed nothing is read; in their place are zeros.
void CoarseGroup::gatherLayer(int slot, std::int64_t layer, double* out) {
  const paging::ArrayDescription& array = m_cursor.description(slot);
  const auto place = [&](std::size_t a, std::int64_t n) { return m_places[a][static_cast<std::size_t>(n)]; };
  const auto endOfRun = [&](std::size_t a, std::int64_t n) {
    const auto page = [&](std::int64_t m) {
      return array.layout.pageAlong(static_cast<int>(a), place(a, m));
    };
    std::int64_t end = n + 1;
    while (end < m_size[a] && page(end) == page(n)) ++end;
    return end;
  };
  const std::int64_t k = place(2, layer);
  const std::uint8_t* const needed = m_isNeeded.data() + layerNodes() * static_cast<std::size_t>(layer);
  std::fill_n(out, static_cast<std::size_t>(array.components) * layerNodes(), 0.0);
  for (std::int64_t j = 0, endJ = 0; j < m_size[1]; j = endJ) {
    endJ = endOfRun(1, j);
    for (std::int64_t i = 0, endI = 0; i < m_size[0]; i = endI) {
      endI = endOfRun(0, i);
      const auto forRun = [&](const auto& visit) {
        for (std::int64_t v = j; v < endJ; ++v)
          for (std::int64_t u = i; u < endI; ++u) visit(u, v, static_cast<std::size_t>(v * m_size[0] + u));
      };
      bool any = false;
      forRun([&](std::int64_t, std::int64_t, std::size_t node) { any = any || needed[node] != 0; });
      if (!any) continue;
      m_cursor.visitPages(
          slot, {{place(0, i), place(1, j), k}, {1, 1, 1}}, [&](const paging::PagePart& part) {
            forRun([&](std::int64_t u, std::int64_t v, std::size_t node) {
              const Index3& first = part.page.first;
              const std::int64_t from =
                  linear({place(0, u) - first[0], place(1, v) - first[1], k - first[2]}, part.page.size);
              toDouble(part.data, part.type, part.components * from, part.components,
                       out + static_cast<std::size_t>(part.components) * node);
            });
          });
    }
  }
}

void CoarseGroup::readPoints() {
  if (m_bySlots.xyz < 0) {
    for (std::size_t n = 0; n < nodeCount(); ++n) {
      const Vec3 point = regularNode(m_grid, placeOf(n));
      for (int a = 0; a < 3; ++a) m_xyz[3 * n + static_cast<std::size_t>(a)] = point[a];
    }
  } else {
    for (std::int64_t k = 0; k < m_size[2]; ++k)
      gatherLayer(m_bySlots.xyz, k, m_xyz.data() + 3 * layerNodes() * static_cast<std::size_t>(k));
  }
  for (std::size_t n = 0; n < nodeCount(); ++n)
    if (m_isNeeded[n] != 0 && !isFinite(point(n))) m_usable[n] = 0;
}

void CoarseGroup::readBlanks() {
  if (m_bySlots.iblank < 0) return;
  for (std::int64_t k = 0; k < m_size[2]; ++k) {
    gatherLayer(m_bySlots.iblank, k, m_layer.data());
    for (std::size_t n = 0; n < layerNodes(); ++n)
      if (const std::size_t node = layerNodes() * static_cast<std::size_t>(k) + n;
          m_isNeeded[node] != 0 && m_layer[n] == 0)
        m_usable[node] = 0;
  }
}

void CoarseGroup::readFunctions(const FunctionPlan& plan, const BlockSlots& slots, BoxFunctions& nodeByNode,
                                std::vector<double>& out) {
  const auto outputs = static_cast<std::size_t>(plan.outputCount());
  if (outputs == 0) return;
  if (plan.gradientCount() > 0) {
    for (std::size_t n = 0; n < nodeCount(); ++n)
      if (m_isNeeded[n] != 0)
        nodeByNode.compute(m_cursor, slots, m_grid, {placeOf(n), {1, 1, 1}},
                           std::span(out).subspan(outputs * n, outputs));
    return;
  }
  const auto inputs = static_cast<std::size_t>(plan.inputCount());
  for (std::int64_t k = 0; k < m_size[2]; ++k) {
    double* to = m_layer.data();
    for (const int slot : slots.variables) {
      gatherLayer(slot, k, to);
      to += static_cast<std::size_t>(m_cursor.components(slot)) * layerNodes();
    }
    for (std::size_t n = 0; n < layerNodes(); ++n) {
      auto input = m_inputs.begin();
      const double* from = m_layer.data();
      for (const int slot : slots.variables) {
        const auto each = static_cast<std::size_t>(m_cursor.components(slot));
        input = std::copy_n(from + n * each, each, input);
        from += each * layerNodes();
      }
      plan.computeNode(
          std::span(m_inputs).first(inputs),
          std::span(out).subspan(outputs * (layerNodes() * static_cast<std::size_t>(k) + n), outputs));
    }
  }
}

/// At nodes that are needed.
void CoarseGroup::readField() {
  if (m_ofPlace) {
    readPoints();
    for (std::size_t n = 0; n < nodeCount(); ++n) m_field[n] = m_ofPlace(point(n));
  } else {
    readFunctions(m_functions.by, m_bySlots, m_by, m_shown);
    for (std::size_t n = 0; n < nodeCount(); ++n)
      if (m_isNeeded[n] != 0) m_field[n] = m_shown[n];
  }
  for (std::size_t n = 0; n < nodeCount(); ++n)
    if (!std::isfinite(m_field[n])) m_usable[n] = 0;
}

bool CoarseGroup::open(const IndexBox& cells, std::int64_t stride) {
  for (std::size_t a = 0; a < 3; ++a) {
    m_size[a] = (cells.size[a] - 1) / stride + 2;
    for (std::int64_t n = 0; n < m_size[a]; ++n)
      m_places[a][static_cast<std::size_t>(n)] = cells.first[a] + std::min(n * stride, cells.size[a]);
  }
  for (std::size_t c = 0; c < m_corner.size(); ++c)
    m_corner[c] = static_cast<std::size_t>(
        linear({static_cast<std::int64_t>(c & 1), static_cast<std::int64_t>(c >> 1 & 1),
                static_cast<std::int64_t>(c >> 2)},
               m_size));
  if (!mayBeCut(cells)) return false;
  std::fill_n(m_usable.begin(), nodeCount(), 1);
  // of pages on one side of all values nothing is read, but what cut cells need
  for (std::size_t n = 0; n < nodeCount(); ++n) m_isNeeded[n] = m_isKnown[n] != 0 ? 0 : 1;
  readField();
  if (!findCut()) return false;
  if (!m_ofPlace) readField();
  readBlanks();
  if (!m_ofPlace) readPoints();
  readFunctions(m_functions.shown, m_shownSlots, m_shownFunctions, m_shown);
  for (std::size_t n = 0; n < nodeCount(); ++n)
    if (m_isNeeded[n] == 0) m_usable[n] = 0;
  return findCut();
}

Vec3 CoarseGroup::gradient(std::size_t a, std::size_t b, double share) const {
  const GatheredNodes net{{{0, 0, 0}, m_size}, m_xyz, m_usable};
  const auto at = [&](std::size_t node) {
    Vec3 gradient;
    gradientsAt(net, m_size, m_field, 1, unlinear(static_cast<std::int64_t>(node), m_size), {&gradient, 1});
    return gradient;
  };
  return (1 - share) * at(a) + share * at(b);
}

bool CoarseGroup::isLeftHanded(const GroupCell& cell) const {
  std::array<Vec3, 3> axes;
  for (std::size_t axis = 0; axis < 3; ++axis)
    axes[axis] = point(cell.nodes[std::size_t{1} << axis]) - point(cell.nodes[0]);
  return dot(axes[0], cross(axes[1], axes[2])) < 0;
}

}  // namespace farfield::fields
