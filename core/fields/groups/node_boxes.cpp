#include "core/fields/groups/node_boxes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/fields/functions/box_functions.h"
#include "core/fields/groups/cell_groups.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/cell_samples.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kBoxEdge = 8;
constexpr std::int64_t kBoxNodes = kBoxEdge * kBoxEdge * kBoxEdge;

std::int64_t boxesAlong(std::int64_t nodes) {
  return (nodes + kBoxEdge - 1) / kBoxEdge;
}

}  // namespace

bool NodeBoxes::areByCell(const paging::DatasetDescription& data, const FunctionPlan& functions) {
  if (data.blocks.empty() || !data.blocks.front().isUnstructured()) return false;
  return functions.gradientCount() > 0 ||
         std::any_of(data.arrays.begin(), data.arrays.end(), [&](const paging::ArrayDescription& array) {
           const std::vector<std::string>& used = functions.arrays();
           return array.onCells && std::find(used.begin(), used.end(), array.name) != used.end();
         });
}

bool NodeBoxes::areSameOverCells(const paging::DatasetDescription& data, const FunctionPlan& functions) {
  const std::vector<std::string>& used = functions.arrays();
  return !used.empty() && functions.gradientCount() == 0 &&
         std::all_of(used.begin(), used.end(), [&](const std::string& name) {
           return std::any_of(data.arrays.begin(), data.arrays.end(),
                              [&](const auto& array) { return array.onCells && array.name == name; });
         });
}

namespace {

/// Whether nodes of structured blocks are centres of cells, and others that have the same values or means of them.
bool areCentres(const paging::DatasetDescription& data) {
  const std::optional<paging::AmrLevels> amr = paging::amrOf(data);
  return amr ? amr->onCells : paging::areCellSamples(data);
}

/// Which nodes along an axis are centres of cells.
std::vector<bool> centresAlong(const paging::DatasetDescription& data, const paging::BlockDescription& block,
                               int axis) {
  if (paging::amrOf(data)) return paging::amrCentres(block, axis);
  std::vector<bool> centres(static_cast<std::size_t>(block.dims[static_cast<std::size_t>(axis)]), true);
  if (centres.size() > 2) centres.front() = centres.back() = false;
  return centres;
}

}  // namespace

bool NodeBoxes::areOfCells(const paging::DatasetDescription& data, const FunctionPlan& functions) {
  return areByCell(data, functions) || areCentres(data);
}

NodeBoxes::NodeBoxes(const paging::DatasetDescription& data, const FunctionPlan& functions, Blanks blanks,
                     std::int64_t firstStep)
    : m_data(data),
      m_functions(functions),
      m_byCell(areByCell(data, functions)),
      m_tellsBlanks(blanks == Blanks::Told),
      m_centresAlone(m_tellsBlanks && areCentres(data)),
      m_firstStep(std::min(firstStep, data.steps() - 1)) {
  m_first.push_back(0);
  for (const paging::BlockDescription& block : data.blocks)
    m_first.push_back(m_first.back() + (block.isUnstructured()
                                            ? (itemsOf(block) - 1) / each() + 1
                                            : boxesAlong(block.dims[0]) * boxesAlong(block.dims[1]) *
                                                  boxesAlong(block.dims[2])));
}

std::int64_t NodeBoxes::each() const {
  return m_byCell ? kListedCells : kBoxNodes;
}

std::int64_t NodeBoxes::itemsOf(const paging::BlockDescription& block) const {
  return m_byCell ? block.cells : block.dims[0];
}

std::size_t NodeBoxes::count() const {
  return static_cast<std::size_t>(m_first.back() * (m_data.steps() - m_firstStep));
}

NodeBoxes::Place NodeBoxes::at(std::size_t number) const {
  const std::int64_t inStep = static_cast<std::int64_t>(number) % m_first.back();
  const auto after = std::upper_bound(m_first.begin(), m_first.end(), inStep);
  Place place{m_firstStep + static_cast<std::int64_t>(number) / m_first.back(),
              static_cast<int>(after - m_first.begin()) - 1,
              {}};
  const paging::BlockDescription& block = m_data.blocks[static_cast<std::size_t>(place.block)];
  if (block.isUnstructured()) {
    const std::int64_t first = (inStep - *(after - 1)) * each();
    place.box = {{first, 0, 0}, {std::min(each(), itemsOf(block) - first), 1, 1}};
    return place;
  }
  const Index3& dims = block.dims;
  const Index3 box =
      unlinear(inStep - *(after - 1), {boxesAlong(dims[0]), boxesAlong(dims[1]), boxesAlong(dims[2])});
  for (std::size_t a = 0; a < 3; ++a) {
    place.box.first[a] = box[a] * kBoxEdge;
    place.box.size[a] = std::min(kBoxEdge, dims[a] - place.box.first[a]);
  }
  return place;
}

void NodeBoxes::visit(const Place& place, PagedData& data, tasks::TaskContext& context,
                      const Visit& visit) const {
  if (m_byCell) return visitCells(place, data, context, visit);
  const auto values = static_cast<std::size_t>(m_functions.outputCount());
  const auto nodes = static_cast<std::size_t>(product(place.box.size));
  std::vector<double> outputs(values * nodes), iblank;
  {
    paging::Cursor cursor(data.cache(), context, data.plan().mode);
    cursor.setStep(place.step);
    const BlockSlots slots = data.bind(cursor, place.block, m_functions);
    BoxFunctions(m_functions)
        .compute(cursor, slots, data.description().blocks[static_cast<std::size_t>(place.block)], place.box,
                 outputs);
    if (m_tellsBlanks && slots.iblank >= 0) {
      iblank.resize(nodes);
      const paging::GatherTarget target{slots.iblank, iblank.data()};
      cursor.gatherTiled(place.box, {&target, 1});
    }
  }
  std::array<std::vector<bool>, 3> counts;
  if (m_centresAlone)
    for (int axis = 0; axis < 3; ++axis)
      counts[static_cast<std::size_t>(axis)] = centresAlong(
          data.description(), data.description().blocks[static_cast<std::size_t>(place.block)], axis);
  const auto isCounted = [&](std::size_t node) {
    const Index3 at = unlinear(static_cast<std::int64_t>(node), place.box.size);
    for (std::size_t a = 0; a < 3; ++a)
      if (!counts[a][static_cast<std::size_t>(place.box.first[a] + at[a])]) return false;
    return true;
  };
  // The nodes of a layer are there twice, with the same values.
  const double weight = paging::isLayer(data.description(), place.block) ? 0.5 : 1;
  for (std::size_t n = 0; n < nodes; ++n)
    if (!m_centresAlone || isCounted(n))
      visit(std::span(outputs).subspan(n * values, values), !iblank.empty() && iblank[n] == 0, weight);
}

void NodeBoxes::visitCells(const Place& place, PagedData& data, tasks::TaskContext& context,
                           const Visit& visit) const {
  GroupReader group(place.block, data, context, m_functions, place.step);
  group.open({place.box, {}});
  group.gatherValues(group.whole());
  std::vector<bool> isBlank(group.nodeCount(), false);
  if (m_tellsBlanks && group.hasBlanks())
    group.findBlanks(group.whole(), [&](std::size_t node) { isBlank[node] = true; });
  const auto outputs = static_cast<std::size_t>(m_functions.outputCount());
  group.forEachCell(group.whole(), [&](const GroupCell& cell) {
    std::array<std::uint16_t, GroupCell::kMostCorners> corners = cell.nodes;
    std::sort(corners.begin(), corners.end());
    const auto end = std::unique(corners.begin(), corners.end());
    const double* const first = group.values(corners.front());
    const bool isOne = std::all_of(corners.begin(), end, [&](std::uint16_t node) {
      return isBlank[node] == isBlank[corners.front()] &&
             std::memcmp(group.values(node), first, outputs * sizeof(double)) == 0;
    });
    if (isOne) return visit({first, outputs}, isBlank[corners.front()], 1);
    for (auto node = corners.begin(); node != end; ++node)
      visit({group.values(*node), outputs}, isBlank[*node], 1.0 / static_cast<double>(end - corners.begin()));
  });
}

std::uint64_t NodeBoxes::bytesFor(const FunctionPlan& functions) {
  return std::max(BoxFunctions::bytesFor(functions, {kBoxEdge, kBoxEdge, kBoxEdge}),
                  GroupReader::bytesFor(functions)) +
         sizeof(double) * static_cast<std::uint64_t>((kBoxNodes + 5) * (functions.outputCount() + 1));
}

}  // namespace farfield::fields
