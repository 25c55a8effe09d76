#include "core/fields/groups/page_pieces.h"

#include <algorithm>

namespace farfield::fields {
namespace {

/// The interval of what is computed from nodes with this range. `isComputed`: false if the value is taken
/// unchanged.
Interval intervalOf(const paging::ValueRange& range, bool hasNonFinite, bool isComputed) {
  // values that are not finite are not in the range, but what is computed from them may be finite
  if (hasNonFinite && isComputed) return Interval::any();
  return {range.min, range.max, hasNonFinite};
}

}  // namespace

PagePieces::PagePieces(const PagedData& data, int block, const FunctionPlan& function, std::int64_t step)
    : m_data(data), m_function(function), m_step(step) {
  if (function.gradientCount() == 0)
    for (const std::string& name : function.arrays()) {
      const int array = data.description().find(block, name);
      if (array >= 0) m_arrays.push_back(static_cast<std::uint32_t>(array));
    }
  m_inputs.resize(static_cast<std::size_t>(function.inputCount()));
  m_outputs.resize(static_cast<std::size_t>(function.outputCount()));
}

std::uint64_t PagePieces::bytesFor(const paging::DatasetDescription& description,
                                   const FunctionPlan& function, std::int64_t edge) {
  std::uint64_t most = 1;
  for (std::size_t block = 0; block < description.blocks.size() && function.gradientCount() == 0; ++block) {
    Index3 cuts{1, 1, 1};
    for (const std::string& name : function.arrays()) {
      const int array = description.find(static_cast<int>(block), name);
      if (array < 0) continue;
      const Index3& extent = description.arrays[static_cast<std::size_t>(array)].layout.extent();
      for (std::size_t a = 0; a < 3; ++a) cuts[a] = std::min(edge, cuts[a] + (edge - 2) / extent[a] + 1);
    }
    most = std::max(most, static_cast<std::uint64_t>(product(cuts)));
  }
  return most * (sizeof(Interval) + 1) + static_cast<std::uint64_t>(3 * (edge + 1)) * sizeof(std::int64_t) +
         static_cast<std::uint64_t>(function.inputCount() + function.outputCount()) * sizeof(Interval);
}

void PagePieces::open(const IndexBox& nodes) {
  for (std::size_t a = 0; a < 3; ++a) {
    std::vector<std::int64_t>& starts = m_starts[a];
    const std::int64_t end = nodes.first[a] + nodes.size[a];
    starts.assign(1, nodes.first[a]);
    for (const std::uint32_t array : m_arrays) {
      const std::int64_t extent = m_data.description().arrays[array].layout.extent()[a];
      for (std::int64_t start = (nodes.first[a] / extent + 1) * extent; start < end; start += extent)
        if (std::find(starts.begin(), starts.end(), start) == starts.end()) starts.push_back(start);
    }
    std::sort(starts.begin(), starts.end());
    m_counts[a] = static_cast<std::int64_t>(starts.size());
    starts.push_back(end);
  }
  const auto count = static_cast<std::size_t>(product(m_counts));
  m_ranges.assign(count, Interval::any());
  // without arrays to look up nothing is known
  m_looked.assign(count, m_arrays.empty());
}

std::int64_t PagePieces::pieceAlong(std::size_t axis, std::int64_t node) const {
  const std::vector<std::int64_t>& starts = m_starts[axis];
  std::int64_t piece = 0;
  while (piece + 1 < m_counts[axis] && starts[static_cast<std::size_t>(piece + 1)] <= node) ++piece;
  return piece;
}

Index3 PagePieces::firstNode(std::size_t piece) const {
  const Index3 at = unlinear(static_cast<std::int64_t>(piece), m_counts);
  Index3 first;
  for (std::size_t a = 0; a < 3; ++a) first[a] = m_starts[a][static_cast<std::size_t>(at[a])];
  return first;
}

const Interval& PagePieces::range(std::size_t piece) {
  if (!m_looked[piece]) {
    m_looked[piece] = true;
    m_ranges[piece] = lookUp(piece);
  }
  return m_ranges[piece];
}

Interval PagePieces::rangeAt(const Index3& node) {
  if (m_arrays.empty()) return Interval::any();
  auto input = m_inputs.begin();
  for (const std::uint32_t array : m_arrays) {
    const paging::ArrayDescription& its = m_data.description().arrays[array];
    const auto known = m_data.data().rangesOf(array, its.pageNumber(m_step, its.layout.pageOf(node)));
    if (!known) return Interval::any();
    for (int c = 0; c < its.components; ++c)
      *input++ = intervalOf(known->components.at(static_cast<std::size_t>(c)), known->hasNonFinite,
                            !m_function.isVariables());
  }
  m_function.bound(m_inputs, m_outputs);
  return m_outputs.front();
}

void PagePieces::learn(std::size_t piece, paging::Cursor& cursor, std::span<const int> slots) {
  if (m_arrays.empty() || !m_data.data().keepsRanges()) return;
  const Index3 node = firstNode(piece);
  for (std::size_t n = 0; n < m_arrays.size(); ++n) {
    const paging::ArrayDescription& its = m_data.description().arrays[m_arrays[n]];
    const std::int64_t page = its.layout.pageOf(node);
    const std::uint64_t number = its.pageNumber(m_step, page);
    if (m_data.data().rangesOf(m_arrays[n], number)) continue;
    paging::PageSummary found(its.components);
    cursor.visitPages(slots[n], its.layout.box(page), [&](const paging::PagePart& part) {
      const std::int64_t bytes = product(part.page.size) * its.nodeBytes();
      found.add({part.data, static_cast<std::size_t>(bytes)}, part.type);
    });
    m_data.data().foundRanges(m_arrays[n], number, found);
  }
  m_ranges[piece] = lookUp(piece);
}

}  // namespace farfield::fields
