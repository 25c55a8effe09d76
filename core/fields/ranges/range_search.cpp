#include "core/fields/ranges/range_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/fields/groups/node_boxes.h"
#include "core/fields/groups/page_pieces.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kMostEdge =
    512;  ///< of a box along an axis: of unstructured blocks it is a row of nodes

std::uint64_t bytesOfNode(const paging::DatasetDescription& data, const FunctionPlan& plan, int block) {
  std::uint64_t bytes = 0;
  for (const std::string& name : plan.arrays())
    if (const int array = data.find(block, name); array >= 0)
      bytes += static_cast<std::uint64_t>(data.arrays[static_cast<std::size_t>(array)].nodeBytes());
  return bytes;
}

}  // namespace

RangeSearch::RangeSearch(std::string function, std::int64_t firstStep, Steps steps)
    : m_function(std::move(function)),
      m_firstStep(firstStep),
      m_steps(steps),
      m_least(std::numeric_limits<double>::infinity()),
      m_greatest(-std::numeric_limits<double>::infinity()) {}

std::optional<std::array<double, 2>> RangeSearch::found() const {
  return m_least <= m_greatest ? std::optional(std::array{m_least, m_greatest}) : std::nullopt;
}

std::uint64_t RangeSearch::bytesFor(const paging::DatasetDescription& data, const std::string& function) {
  const FunctionPlan plan(data, {function});
  return NodeBoxes::bytesFor(plan) + PagePieces::bytesFor(data, plan, kMostEdge);
}

void RangeSearch::goOn(PagedData& data, tasks::TaskContext& task, const std::function<bool()>& isEnough) {
  const paging::DatasetDescription& description = data.description();
  const FunctionPlan plan(description, {m_function});
  if (plan.outputCount() != 1)
    throw Invalid("'" + m_function + "' is a vector, and a range is of one number");
  const NodeBoxes boxes(description, plan);
  const std::uint64_t perStep = boxes.perStep();
  const std::uint64_t total =
      m_steps == Steps::FirstAlone ? perStep : perStep * static_cast<std::uint64_t>(description.steps());
  if (total == 0) {
    m_part = 1;
    return;
  }
  if (m_stepsAtFirst == 0) {
    m_stepsAtFirst = description.steps();
    m_firstStep = std::clamp<std::int64_t>(m_firstStep, 0, m_stepsAtFirst - 1);
  }
  // Steps that came later follow all that were there.
  const auto stepOf = [&](std::uint64_t n) {
    const auto step = static_cast<std::int64_t>(n / perStep);
    return step < m_stepsAtFirst ? (m_firstStep + step) % m_stepsAtFirst : step;
  };
  // What differs from cell to cell is not told by the nodes' pages.
  const bool byNodes = !NodeBoxes::areByCell(description, plan);
  std::optional<PagePieces> pieces;
  int piecesBlock = -1;
  std::int64_t piecesStep = -1;
  const auto mayHaveMore = [&](const NodeBoxes::Place& place) {
    if (!byNodes) return true;
    if (place.block != std::exchange(piecesBlock, place.block) ||
        place.step != std::exchange(piecesStep, place.step))
      pieces.emplace(data, place.block, plan, place.step);
    pieces->open(place.box);
    bool more = false;
    pieces->forEach(place.box, [&](std::size_t piece, const IndexBox&) {
      if (more) return;
      const Interval& its = pieces->range(piece);
      more = !(its.low >= m_least && its.high <= m_greatest);
    });
    return more;
  };
  // In one step others' blocks have nothing to say.
  const std::vector<bool> isThere =
      m_steps == Steps::FirstAlone ? paging::blocksAt(description, m_firstStep) : std::vector<bool>();
  m_part = static_cast<double>(m_next) / static_cast<double>(total);
  while (m_next < total) {
    const NodeBoxes::Place place = boxes.at(static_cast<std::size_t>(stepOf(m_next)) * perStep +
                                            static_cast<std::size_t>(m_next % perStep));
    if ((isThere.empty() || isThere[static_cast<std::size_t>(place.block)]) && mayHaveMore(place)) {
      double least = m_least, greatest = m_greatest;
      boxes.visit(place, data, task, [&](std::span<const double> values, bool, double) {
        if (!std::isfinite(values[0])) return;
        least = std::min(least, values[0]);
        greatest = std::max(greatest, values[0]);
      });
      m_least = least;
      m_greatest = greatest;
      m_seenBytes +=
          static_cast<std::uint64_t>(product(place.box.size)) * bytesOfNode(description, plan, place.block);
    }
    ++m_next;
    m_part = static_cast<double>(m_next) / static_cast<double>(total);
    if (isEnough()) return;
  }
}

}  // namespace farfield::fields
