#include "core/fields/paged/listed_cells.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/fields/cells/unstructured_map.h"

namespace farfield::fields {

ListedCells::ListedCells(int block, const PagedData& data, paging::Cursor& cursor)
    : m_slot(cursor.bind(static_cast<std::uint32_t>(data.handle(block, paging::ArrayRole::Cells)))),
      m_nodes(data.description().blocks[static_cast<std::size_t>(block)].dims[0]) {
  numbers.reserve(kMostListedCells);
  nodes.reserve(kMostListedNodes);
  cells.reserve(kMostListedCells);
  cellOfNode.reserve(kMostListedNodes);
  m_numbers.resize(kMostListedNodes);
}

std::uint64_t ListedCells::bytesFor() {
  return sizeof(ListedCells) +
         kMostListedNodes * (sizeof(double) + sizeof(std::int64_t) + sizeof(std::uint32_t)) +
         kMostListedCells * (sizeof(GroupCell) + sizeof(std::int64_t));
}

void ListedCells::open(paging::Cursor& cursor, std::int64_t first, std::int64_t count, bool shared) {
  numbers.resize(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  const paging::GatherTarget target{m_slot, m_numbers.data()};
  cursor.gatherTiled({{first, 0, 0}, {count, 1, 1}}, {&target, 1});
  number(shared);
}

void ListedCells::openEach(paging::Cursor& cursor, std::span<const std::int64_t> cellNumbers) {
  numbers.assign(cellNumbers.begin(), cellNumbers.end());
  const paging::GatherTarget target{m_slot, m_numbers.data()};
  cursor.gatherNodes(numbers, {&target, 1});
  number(false);
}

/// Numbers the nodes of the cells whose corners were gathered.
void ListedCells::number(bool shared) {
  nodes.clear();
  cells.assign(numbers.size(), {});
  cellOfNode.clear();
  constexpr std::size_t kEach = paging::kCellCorners;
  const auto corners = [&](std::size_t n) { return std::span(m_numbers).subspan(n * kEach, kEach); };
  for (std::size_t n = 0; n < cells.size(); ++n) {
    for (const double number : corners(n))
      if (!(number >= 0 && number < static_cast<double>(m_nodes)))
        throw Corrupt("cell " + std::to_string(numbers[n]) + " has the node " +
                          std::to_string(static_cast<std::int64_t>(number)) + ", which does not exist",
                      "make the file again");
    const std::size_t begin = shared ? 0 : nodes.size();
    for (const double number : corners(n)) nodes.push_back(static_cast<std::int64_t>(number));
    if (shared) continue;
    const auto from = nodes.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(from, nodes.end());
    nodes.erase(std::unique(from, nodes.end()), nodes.end());
    cellOfNode.resize(nodes.size(), static_cast<std::uint32_t>(n));
    for (std::size_t c = 0; c < kEach; ++c)
      cells[n].nodes[c] =
          static_cast<std::uint16_t>(std::lower_bound(nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                                                      nodes.end(), static_cast<std::int64_t>(corners(n)[c])) -
                                     nodes.begin());
  }
  if (!shared) return;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (std::size_t n = 0; n < cells.size(); ++n)
    for (std::size_t c = 0; c < kEach; ++c)
      cells[n].nodes[c] = static_cast<std::uint16_t>(
          std::lower_bound(nodes.begin(), nodes.end(), static_cast<std::int64_t>(corners(n)[c])) -
          nodes.begin());
}

void ListedCells::gatherPoints(paging::Cursor& cursor, int xyz, std::span<double> out) const {
  const paging::GatherTarget target{xyz, out.data()};
  cursor.gatherNodes(nodes, {&target, 1});
}

std::uint64_t ListedFunctions::bytesFor(const FunctionPlan& functions, std::uint64_t nodes) {
  const auto inputs = static_cast<std::uint64_t>(functions.inputCount()),
             basics = static_cast<std::uint64_t>(functions.gradientCount()),
             outputs = static_cast<std::uint64_t>(functions.outputCount());
  return sizeof(ListedFunctions) +
         (nodes * (2 * inputs + basics) + inputs + paging::kCellCorners * outputs) * sizeof(double) +
         basics * sizeof(Vec3) +
         functions.arrays().size() *
             (sizeof(Array) + sizeof(std::vector<double>) + 2 * sizeof(paging::GatherTarget));
}

void ListedFunctions::bind(const paging::Cursor& cursor, const BlockSlots& slots) {
  m_arrays.clear();
  m_onCells = false;
  for (const int slot : slots.variables) {
    const paging::ArrayDescription& array = cursor.description(slot);
    m_arrays.push_back({array.components, array.onCells});
    m_onCells = m_onCells || array.onCells;
  }
  m_gathered.resize(m_arrays.size());
  m_inputs.resize(static_cast<std::size_t>(m_functions.inputCount()));
  m_gradients.resize(static_cast<std::size_t>(m_functions.gradientCount()));
}

/// All arrays at `nodes`, or at `cells`.
void ListedFunctions::gather(paging::Cursor& cursor, const BlockSlots& slots,
                             std::span<const std::int64_t> nodes, std::span<const std::int64_t> cells) {
  m_onNodes.clear();
  m_onCellTargets.clear();
  for (std::size_t n = 0; n < m_arrays.size(); ++n) {
    const std::size_t count = m_arrays[n].onCells ? cells.size() : nodes.size();
    m_gathered[n].resize(count * static_cast<std::size_t>(m_arrays[n].components));
    (m_arrays[n].onCells ? m_onCellTargets : m_onNodes).push_back({slots.variables[n], m_gathered[n].data()});
  }
  if (!m_onNodes.empty()) cursor.gatherNodes(nodes, m_onNodes);
  if (!m_onCellTargets.empty()) cursor.gatherNodes(cells, m_onCellTargets);
}

/// Collects the components of all arrays for a node, given by numbers in what was gathered.
void ListedFunctions::inputsOf(std::size_t node, std::size_t cell) {
  auto to = m_inputs.begin();
  for (std::size_t n = 0; n < m_arrays.size(); ++n) {
    const auto each = static_cast<std::size_t>(m_arrays[n].components);
    to = std::copy_n(
        m_gathered[n].begin() + static_cast<std::ptrdiff_t>((m_arrays[n].onCells ? cell : node) * each), each,
        to);
  }
}

/// The gradients of m_basics at a corner of a cell: those of the cell's own interpolation. `nodeOf` gives each
/// corner's place in m_basics.
void ListedFunctions::gradientsOf(paging::UnstructuredShape shape, const CellCorners& corners,
                                  std::span<const std::size_t> nodeOf, std::size_t corner) {
  Vec3 xi{static_cast<double>(corner & 1), static_cast<double>(corner >> 1 & 1),
          static_cast<double>(corner >> 2)};
  // the map of a pyramid has no inverse at its apex
  if (shape == paging::UnstructuredShape::Pyramid && corner == 4) xi = centreOf(shape);
  const auto j = vectorIn(shape, corners).pointAt(xi).jacobian;
  const Vec3 c12 = cross(j[1], j[2]), c20 = cross(j[2], j[0]), c01 = cross(j[0], j[1]);
  const double volume = dot(j[0], c12);
  const std::size_t basics = m_gradients.size();
  for (std::size_t b = 0; b < basics; ++b) {
    CellCorners values;
    for (std::size_t c = 0; c < paging::kCellCorners; ++c)
      values[c] = {m_basics[nodeOf[c] * basics + b], 0, 0};
    const auto slope = vectorIn(shape, values).pointAt(xi).jacobian;
    m_gradients[b] = (1 / volume) * (slope[0].x * c12 + slope[1].x * c20 + slope[2].x * c01);
  }
}

void ListedFunctions::computeNodes(paging::Cursor& cursor, const BlockSlots& slots,
                                   std::span<const std::int64_t> nodes, std::span<double> out) {
  gather(cursor, slots, nodes, {});
  computeGathered(nodes.size(), out.data());
}

/// The functions at the first `count` nodes gathered, without derivatives or values on cells.
void ListedFunctions::computeGathered(std::size_t count, double* out) {
  if (m_arrays.size() == 1) return m_functions.computeNodes(count, m_gathered[0].data(), out);
  const std::size_t inputs = m_inputs.size();
  m_allInputs.resize(count * inputs);
  for (std::size_t n = 0; n < count; ++n) {
    inputsOf(n, 0);
    std::copy_n(m_inputs.begin(), inputs, m_allInputs.begin() + static_cast<std::ptrdiff_t>(n * inputs));
  }
  m_functions.computeNodes(count, m_allInputs.data(), out);
}

void ListedFunctions::compute(paging::Cursor& cursor, const BlockSlots& slots, const ListedCells& cells,
                              std::span<const double> points, std::span<double> out) {
  if (!differByCell()) return computeNodes(cursor, slots, cells.nodes, out);
  gather(cursor, slots, cells.nodes,
         m_onCells ? std::span<const std::int64_t>(cells.numbers) : std::span<const std::int64_t>());
  const auto values = static_cast<std::size_t>(m_functions.outputCount()), basics = m_gradients.size();
  const auto cellOf = [&](std::size_t node) { return m_onCells ? cells.cellOfNode[node] : std::size_t{0}; };
  if (basics == 0) {
    for (std::size_t n = 0; n < cells.nodes.size(); ++n) {
      inputsOf(n, cellOf(n));
      m_functions.computeNode(m_inputs, out.subspan(n * values, values));
    }
    return;
  }
  m_basics.resize(basics * cells.nodes.size());
  for (std::size_t n = 0; n < cells.nodes.size(); ++n) {
    inputsOf(n, cellOf(n));
    m_functions.computeBasics(m_inputs, {m_basics.data() + n * basics, basics});
  }
  for (const GroupCell& cell : cells.cells) {
    std::array<std::size_t, paging::kCellCorners> nodeOf;
    paging::CellNodes numbered;
    CellCorners corners;
    for (std::size_t c = 0; c < nodeOf.size(); ++c) {
      const std::size_t n = nodeOf[c] = cell.nodes[c];
      numbered[c] = static_cast<std::int32_t>(n);
      corners[c] = {points[3 * n], points[3 * n + 1], points[3 * n + 2]};
    }
    const paging::UnstructuredShape shape = paging::shapeOf(numbered);
    for (const std::uint8_t corner : paging::ownCorners(shape)) {
      inputsOf(nodeOf[corner], cellOf(nodeOf[corner]));
      gradientsOf(shape, corners, nodeOf, corner);
      m_functions.computeNode(m_inputs, m_gradients, out.subspan(nodeOf[corner] * values, values));
    }
  }
}

void ListedFunctions::computeCell(paging::Cursor& cursor, const BlockSlots& slots, std::int64_t cell,
                                  const paging::CellNodes& nodes, const CellCorners& corners,
                                  std::span<double> out) {
  const paging::UnstructuredShape shape = paging::shapeOf(nodes);
  const paging::OwnCorners own = paging::ownCorners(shape);
  std::array<std::int64_t, paging::kCellCorners> wanted;
  std::size_t count = 0;
  std::array<std::size_t, paging::kCellCorners> place{};
  for (const std::uint8_t corner : own) {
    place[corner] = count;
    wanted[count++] = nodes[corner];
  }
  gather(cursor, slots, {wanted.data(), count}, {&cell, 1});
  const auto values = static_cast<std::size_t>(m_functions.outputCount()), basics = m_gradients.size();
  const auto ownCorner = paging::ownOf(shape);
  if (!differByCell()) {
    if (count == paging::kCellCorners) return computeGathered(count, out.data());
    m_ownValues.resize(count * values);
    computeGathered(count, m_ownValues.data());
    for (std::size_t c = 0; c < paging::kCellCorners; ++c)
      std::copy_n(m_ownValues.begin() + static_cast<std::ptrdiff_t>(place[ownCorner[c]] * values), values,
                  out.begin() + static_cast<std::ptrdiff_t>(c * values));
    return;
  }
  std::array<std::size_t, paging::kCellCorners> nodeOf;
  for (std::size_t c = 0; c < nodeOf.size(); ++c) nodeOf[c] = place[ownCorner[c]];
  m_basics.resize(basics * count);
  for (std::size_t n = 0; basics > 0 && n < count; ++n) {
    inputsOf(n, 0);
    m_functions.computeBasics(m_inputs, {m_basics.data() + n * basics, basics});
  }
  for (const std::uint8_t corner : own) {
    inputsOf(place[corner], 0);
    if (basics > 0) gradientsOf(shape, corners, nodeOf, corner);
    m_functions.computeNode(m_inputs, m_gradients, out.subspan(corner * values, values));
  }
  for (std::size_t c = 0; c < nodeOf.size(); ++c)
    if (ownCorner[c] != c)
      std::copy_n(out.begin() + static_cast<std::ptrdiff_t>(ownCorner[c] * values), values,
                  out.begin() + static_cast<std::ptrdiff_t>(c * values));
}

}  // namespace farfield::fields
