#include "core/fields/groups/field_group.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fields/cells/typed_numbers.h"
#include "core/fields/functions/node_coordinates.h"
#include "core/paging/location/kept_ranges.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace farfield::fields {
namespace {

/// Nodes along an axis that a task's groups read: those of its cells, and one more on each side.
constexpr std::int64_t kTaskSide = kCellsPerGroup * kGroupsPerGroup + 3;
/// A group is read in so many layers at a time, which limits what is in memory twice.
constexpr std::int64_t kLayers = 2;
constexpr Index3 kMostAtATime{FieldGroup::kSide, FieldGroup::kSide, kLayers};

/// Of the numbers of a row, by bits.
struct RowSides {
  std::uint32_t above;  ///< at least the value
  std::uint32_t equal;  ///< just the value
};
RowSides sidesOfRow(const double* row, double value) {
  constexpr auto kCount = static_cast<int>(FieldGroup::kSide);
  RowSides bits{0, 0};
  int i = 0;
#ifdef __SSE2__
  const __m128d limit = _mm_set1_pd(value);
  for (; i + 2 <= kCount; i += 2) {
    const __m128d two = _mm_loadu_pd(row + i);
    bits.above |= static_cast<std::uint32_t>(_mm_movemask_pd(_mm_cmpge_pd(two, limit))) << i;
    bits.equal |= static_cast<std::uint32_t>(_mm_movemask_pd(_mm_cmpeq_pd(two, limit)));
  }
#endif
  for (; i < kCount; ++i) {
    bits.above |= static_cast<std::uint32_t>(row[i] >= value) << i;
    bits.equal |= static_cast<std::uint32_t>(row[i] == value);
  }
  return bits;
}

/// Bit i: whether number i is finite.
std::uint32_t finiteOf(const double* row, std::size_t count) {
  std::uint32_t bits = 0;
  std::size_t i = 0;
#ifdef __SSE2__
  for (; i + 2 <= count; i += 2) {
    const __m128d two = _mm_loadu_pd(row + i), none = _mm_sub_pd(two, two);  // NaN of what is not finite
    bits |= static_cast<std::uint32_t>(_mm_movemask_pd(_mm_cmpeq_pd(none, none))) << i;
  }
#endif
  for (; i < count; ++i) bits |= static_cast<std::uint32_t>(std::isfinite(row[i])) << i;
  return bits;
}

/// Every `stride`-th number of a row.
template <class T>
void takeRow(const T* from, std::size_t count, std::int64_t stride, double* to) {
  if (stride == 1)
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(from[i]);
  else
    for (std::size_t i = 0; i < count; ++i, from += stride) to[i] = static_cast<double>(*from);
}

template <class Visit>
void forEachLayers(const IndexBox& box, Visit visit) {
  for (std::int64_t k = 0; k < box.size[2]; k += kLayers)
    visit(IndexBox{{box.first[0], box.first[1], box.first[2] + k},
                   {box.size[0], box.size[1], std::min(kLayers, box.size[2] - k)}});
}

/// Without size along an axis if they have nothing in common there.
IndexBox common(const IndexBox& one, const IndexBox& other) {
  IndexBox both;
  for (std::size_t a = 0; a < 3; ++a) {
    both.first[a] = std::max(one.first[a], other.first[a]);
    both.size[a] = std::max<std::int64_t>(
        0, std::min(one.first[a] + one.size[a], other.first[a] + other.size[a]) - both.first[a]);
  }
  return both;
}

/// Which component of its only array a function is; -1: it must be computed.
int componentOf(const FunctionPlan& function, const paging::DatasetDescription& description, int block) {
  if (!function.isVariables() || function.arrays().size() != 1 || function.outputCount() != 1) return -1;
  const paging::ArrayDescription& array =
      description.arrays[static_cast<std::size_t>(description.find(block, function.arrays().front()))];
  const std::string& name = function.functions().front().name;
  if (array.components == 1 && array.name == name) return 0;
  const auto found = std::find(array.componentNames.begin(), array.componentNames.end(), name);
  const bool isFew = array.components <= paging::GroupExtremes::kMostComponents;
  return isFew && found != array.componentNames.end() ? static_cast<int>(found - array.componentNames.begin())
                                                      : -1;
}

/// Memory while ranges of groups are looked up: those of all inputs of a function.
std::uint64_t foundBytes(const FunctionPlan& function) {
  return static_cast<std::uint64_t>(function.inputCount()) *
             (sizeof(paging::GroupExtremes) + sizeof(Interval)) +
         sizeof(Interval);
}

}  // namespace

BlockSlots slotsOf(const FunctionPlan& part, const FunctionPlan& all, const BlockSlots& bound) {
  BlockSlots slots{bound.xyz, bound.iblank, {}, bound.ends};
  for (const std::string& name : part.arrays()) {
    const auto found = std::find(all.arrays().begin(), all.arrays().end(), name);
    slots.variables.push_back(bound.variables[static_cast<std::size_t>(found - all.arrays().begin())]);
  }
  return slots;
}

FieldGroup::FieldGroup(int block, PagedData& data, tasks::TaskContext& context,
                       const SurfaceFunctions& functions, std::span<const double> values, std::int64_t step)
    : m_grid(data.description().blocks[static_cast<std::size_t>(block)]),
      m_block(block),
      m_step(step),
      m_context(context),
      m_data(data),
      m_functions(functions),
      m_values(values),
      m_outputs(static_cast<std::size_t>(functions.shown.outputCount())),
      m_cursor(data.cache(), context, data.plan().mode),
      m_by(functions.by),
      m_shownFunctions(functions.shown),
      m_pieces(data, block, functions.by, step) {
  m_cursor.setStep(step);
  bind();
  m_component = componentOf(functions.by, data.description(), block);
  m_regularIsLeft = !m_grid.axes && m_grid.spacing.x * m_grid.spacing.y * m_grid.spacing.z < 0;
  m_field.resize(kMostNodes);
  m_xyz.resize(3 * kMostNodes);
  m_shown.resize(m_outputs * kMostNodes);
  m_scratch.resize(std::max<std::size_t>(3, m_outputs) * static_cast<std::size_t>(product(kMostAtATime)));
}

void FieldGroup::bind() {
  const BlockSlots bound = m_data.bind(m_cursor, m_block, *m_functions.all);
  m_bySlots = slotsOf(m_functions.by, *m_functions.all, bound);
  m_shownSlots = slotsOf(m_functions.shown, *m_functions.all, bound);
}

void FieldGroup::letPagesGo() {
  m_cursor.unbind();
  bind();
}

std::uint64_t FieldGroup::bytesFor(const paging::DatasetDescription& description,
                                   const SurfaceFunctions& functions) {
  const auto outputs = static_cast<std::uint64_t>(functions.shown.outputCount());
  const auto atATime = static_cast<std::uint64_t>(product(kMostAtATime));
  return sizeof(FieldGroup) + kMostNodes * (1 + 3 + outputs) * sizeof(double) +
         atATime * std::max<std::uint64_t>(3, outputs) * sizeof(double) +
         BoxFunctions::bytesFor(functions.by, kMostAtATime) +
         BoxFunctions::bytesFor(functions.shown, kMostAtATime) +
         PagePieces::bytesFor(description, functions.by, kTaskSide) + foundBytes(functions.by);
}

bool FieldGroup::meets(const Interval& range) const {
  return std::any_of(m_values.begin(), m_values.end(),
                     [&](double value) { return range.low < value && value <= range.high; });
}

std::size_t FieldGroup::nodeOf(const Index3& at) const {
  return static_cast<std::size_t>(
      linear({at[0] - m_first[0], at[1] - m_first[1], at[2] - m_first[2]}, {kSide, kSide, kSide}));
}

/// The nodes of the block that have a number in the group.
IndexBox FieldGroup::localBox() const {
  IndexBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.first[a] = std::max<std::int64_t>(0, m_first[a]);
    box.size[a] = std::min(m_grid.dims[a], m_nodes.first[a] + m_nodes.size[a] + 1) - box.first[a];
  }
  return box;
}

/// Calls `put(node, n)` for node n of `box`, i fastest.
template <class Put>
void FieldGroup::scatter(const IndexBox& box, Put put) const {
  std::size_t n = 0;
  for (std::int64_t k = 0; k < box.size[2]; ++k)
    for (std::int64_t j = 0; j < box.size[1]; ++j) {
      std::size_t node = nodeOf({box.first[0], box.first[1] + j, box.first[2] + k});
      for (std::int64_t i = 0; i < box.size[0]; ++i) put(node++, n++);
    }
}

/// The smallest box in `part` around the nodes of `needed`; without size if there are none.
IndexBox FieldGroup::neededOf(const IndexBox& part, const Rows& needed) const {
  const auto shift = static_cast<unsigned>(part.first[0] - m_first[0]);
  const std::uint32_t bits = ((1U << part.size[0]) - 1) << shift;
  std::uint32_t columns = 0;
  Index3 low{0, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()};
  Index3 end{0, 0, 0};
  for (std::int64_t k = part.first[2]; k < part.first[2] + part.size[2]; ++k)
    for (std::int64_t j = part.first[1]; j < part.first[1] + part.size[1]; ++j) {
      const std::uint32_t row =
          needed[static_cast<std::size_t>(j - m_first[1] + kSide * (k - m_first[2]))] & bits;
      if (row == 0) continue;
      columns |= row;
      low[1] = std::min(low[1], j);
      low[2] = std::min(low[2], k);
      end[1] = std::max(end[1], j + 1);
      end[2] = std::max(end[2], k + 1);
    }
  if (columns == 0) return {};
  low[0] = m_first[0] + std::countr_zero(columns);
  end[0] = m_first[0] + std::bit_width(columns);
  return {low, {end[0] - low[0], end[1] - low[1], end[2] - low[2]}};
}

/// Calls `visit(box)` for the smallest box around the needed nodes of each page.
template <class Visit>
void FieldGroup::forEachNeeded(const paging::PageLayout& layout, const Rows& needed, Visit visit) const {
  const IndexBox local = localBox();
  Index3 from, to;
  for (std::size_t a = 0; a < 3; ++a) {
    from[a] = layout.pageAlong(static_cast<int>(a), local.first[a]);
    to[a] = layout.pageAlong(static_cast<int>(a), local.first[a] + local.size[a] - 1);
  }
  Index3 at;
  for (at[2] = from[2]; at[2] <= to[2]; ++at[2])
    for (at[1] = from[1]; at[1] <= to[1]; ++at[1])
      for (at[0] = from[0]; at[0] <= to[0]; ++at[0]) {
        IndexBox part = layout.boxAt(at);
        for (std::size_t a = 0; a < 3; ++a) {
          const std::int64_t end = std::min(part.first[a] + part.size[a], local.first[a] + local.size[a]);
          part.first[a] = std::max(part.first[a], local.first[a]);
          part.size[a] = end - part.first[a];
        }
        const IndexBox box = neededOf(part, needed);
        if (box.size[0] > 0) visit(box);
      }
}

void FieldGroup::readField(const IndexBox& box) {
  forgetSides();
  if (isStored()) return readStored(box);
  forEachLayers(box, [this](const IndexBox& layers) { readFieldOf(layers); });
}

void FieldGroup::readFieldOf(const IndexBox& box) {
  const auto count = static_cast<std::size_t>(product(box.size)),
             length = static_cast<std::size_t>(box.size[0]);
  m_by.compute(m_cursor, m_bySlots, m_grid, box, std::span(m_scratch).first(count));
  const double* from = m_scratch.data();
  for (std::int64_t k = 0; k < box.size[2]; ++k)
    for (std::int64_t j = 0; j < box.size[1]; ++j, from += length) {
      const std::size_t node = nodeOf({box.first[0], box.first[1] + j, box.first[2] + k});
      const std::size_t row = node / kRows, shift = node % kRows;
      std::copy_n(from, length, m_field.data() + node);
      const std::uint32_t bits = ((1U << length) - 1) << shift, finite = finiteOf(from, length) << shift;
      m_read[row] |= static_cast<std::uint16_t>(bits);
      m_finite[row] = static_cast<std::uint16_t>((m_finite[row] & ~bits) | finite);
    }
}

/// Numbers that pages have, straight from there.
void FieldGroup::readStored(const IndexBox& box) {
  m_cursor.visitPages(m_bySlots.variables.front(), box, [&](const paging::PagePart& part) {
    withNumbers(part.data, part.type,
                [&](const auto* numbers) { takeNumbers(numbers + part.first() + m_component, part); });
  });
}

template <class T>
void FieldGroup::takeNumbers(const T* numbers, const paging::PagePart& part) {
  const std::int64_t row = part.components * part.page.size[0], layer = row * part.page.size[1];
  const auto length = static_cast<std::size_t>(part.nodes.size[0]);
  const std::size_t first = nodeOf(part.nodes.first), shift = first % kRows;
  const std::uint32_t bits = ((1U << length) - 1) << shift;
  for (std::int64_t k = 0; k < part.nodes.size[2]; ++k)
    for (std::int64_t j = 0; j < part.nodes.size[1]; ++j) {
      const std::size_t at = first / kRows + static_cast<std::size_t>(j + kSide * k);
      double* const field = m_field.data() + kRows * at + shift;
      takeRow(numbers + j * row + k * layer, length, part.components, field);
      m_read[at] |= static_cast<std::uint16_t>(bits);
      m_finite[at] = static_cast<std::uint16_t>((m_finite[at] & ~bits) | finiteOf(field, length) << shift);
    }
}

/// Whether there was anything to read.
bool FieldGroup::readField(const Rows& needed) {
  const Rows missing = without(needed, m_read);
  if (isEmpty(missing)) return false;
  m_pieces.forEach(localBox(), [&](std::size_t piece, const IndexBox& part) {
    const IndexBox box = neededOf(part, missing);
    if (box.size[0] == 0) return;
    readField(box);
    m_pieces.learn(piece, m_cursor, m_bySlots.variables);
  });
  return true;
}

/// As the field.
bool FieldGroup::readBlanks(const Rows& needed) {
  if (m_bySlots.iblank < 0) return false;
  const Rows missing = without(needed, m_blankRead);
  if (isEmpty(missing)) return false;
  const auto read = [&](const IndexBox& box) {
    const paging::GatherTarget target{m_bySlots.iblank, m_scratch.data()};
    m_cursor.gatherTiled(box, {&target, 1});
    scatter(box, [&](std::size_t node, std::size_t n) {
      const auto bit = static_cast<std::uint16_t>(1U << node % kRows);
      m_blankRead[node / kRows] |= bit;
      if (m_scratch[n] == 0) m_blank[node / kRows] |= bit;
    });
  };
  forEachNeeded(m_cursor.layout(m_bySlots.iblank), missing,
                [&](const IndexBox& box) { forEachLayers(box, read); });
  return true;
}

void FieldGroup::readPoints(const Rows& needed) {
  const auto read = [&](const IndexBox& box) {
    const auto numbers = static_cast<std::size_t>(3 * product(box.size));
    gatherCoordinates(m_cursor, m_bySlots.xyz, m_grid, box, std::span(m_scratch).first(numbers));
    scatter(box, [&](std::size_t node, std::size_t n) {
      std::copy_n(m_scratch.data() + 3 * n, 3, m_xyz.data() + 3 * node);
    });
  };
  if (isRegular()) return placeRegularly();
  forEachNeeded(m_cursor.layout(m_bySlots.xyz), needed,
                [&](const IndexBox& box) { forEachLayers(box, read); });
}

/// Of a regular or rectilinear block.
void FieldGroup::placeRegularly() {
  const IndexBox local = localBox();
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::int64_t n = 0; n < local.size[a]; ++n) {
      Index3 node = local.first;
      node[a] += n;
      along(a)[static_cast<std::size_t>(node[a] - m_first[a])] =
          regularNode(m_grid, node)[static_cast<int>(a)];
    }
    for (std::size_t n = 0; n + 1 < kRows; ++n) {
      m_perNext[a][n] = 1 / (along(a)[n + 1] - along(a)[n]);
      if (n > 0) m_perBoth[a][n] = 1 / (along(a)[n + 1] - along(a)[n - 1]);
    }
  }
}

void FieldGroup::readShown(const Rows& needed) {
  if (m_outputs == 0) return;
  const auto read = [&](const IndexBox& box) {
    const auto count = static_cast<std::size_t>(product(box.size));
    m_shownFunctions.compute(m_cursor, m_shownSlots, m_grid, box,
                             std::span(m_scratch).first(m_outputs * count));
    scatter(box, [&](std::size_t node, std::size_t n) {
      std::copy_n(m_scratch.data() + m_outputs * n, m_outputs, m_shown.data() + m_outputs * node);
    });
  };
  // arrays cut differently from the first one are rare, and cost at most one page read too many
  if (!m_shownSlots.variables.empty())
    forEachNeeded(m_cursor.layout(m_shownSlots.variables.front()), needed,
                  [&](const IndexBox& box) { forEachLayers(box, read); });
  else
    forEachLayers(neededOf(localBox(), needed), read);
}

const FieldGroup::Rows& FieldGroup::sidesOf(double value) const {
  if (value == m_sidesOf) return m_sides;
  Rows& above = m_sides;
  above = Rows{};
  m_sidesOf = value;
  std::uint32_t equal = 0;
  for (std::size_t k = 1; k <= m_cells[2] + 1; ++k)
    for (std::size_t j = 1; j <= m_cells[1] + 1; ++j) {
      const RowSides row = sidesOfRow(m_field.data() + kRows * (j + kRows * k), value);
      above[j + kRows * k] = static_cast<std::uint16_t>(row.above);
      equal |= row.equal;
    }
  m_sidesAreExact = equal != 0;
  return above;
}

/// The nodes with a finite value that are not known to be blank.
FieldGroup::Rows FieldGroup::usableNodes() const {
  Rows usable;
  for (std::size_t row = 0; row < usable.size(); ++row)
    usable[row] = static_cast<std::uint16_t>(m_finite[row] & ~m_blank[row]);
  return usable;
}

/// For all values.
FieldGroup::Rows FieldGroup::nodesOfCutCells() const {
  Rows nodes{};
  const Rows usable = usableNodes();
  for (const double value : m_values) {
    const Rows& above = sidesOf(value);
    for (std::size_t k = 1; k <= m_cells[2]; ++k)
      for (std::size_t j = 1; j <= m_cells[1]; ++j) {
        const std::size_t row = j + kRows * k;
        const std::uint32_t cut = cutCells(above, usable, row);
        const auto along = static_cast<std::uint16_t>(cut | cut << 1);
        for (const std::size_t each : {row, row + 1, row + kRows, row + kRows + 1}) nodes[each] |= along;
      }
  }
  return nodes;
}

/// The neighbours of the ends of crossed edges, across the edge, that the block has. On entry `ends` has all
/// nodes of cut cells; it becomes the ends of crossed edges.
FieldGroup::Rows FieldGroup::nodesBeside(Rows& ends) const {
  Rows beside{}, found{};
  const Rows cut = ends;
  const auto wider = [](std::uint32_t bits) { return bits << 1 | bits >> 1; };
  for (const double value : m_values) {
    const Rows& above = sidesOf(value);
    for (std::size_t k = 1; k <= m_cells[2] + 1; ++k)
      for (std::size_t j = 1; j <= m_cells[1] + 1; ++j) {
        const std::size_t row = j + kRows * k;
        const auto add = [](Rows& to, std::size_t at, std::uint32_t bits) {
          to[at] |= static_cast<std::uint16_t>(bits);
        };
        std::uint32_t edges = (above[row] ^ above[row] >> 1) & cut[row] & cut[row] >> 1;
        edges |= edges << 1;
        add(found, row, edges);
        for (const std::size_t each : {row - 1, row + 1, row - kRows, row + kRows}) add(beside, each, edges);
        for (int axis = 1; axis < 3; ++axis) {
          const std::size_t on = axis == 1 ? 1 : kRows, across = axis == 1 ? kRows : 1;
          if ((axis == 1 ? j : k) > m_cells[static_cast<std::size_t>(axis)]) continue;
          const std::uint32_t crossed = (above[row] ^ above[row + on]) & cut[row] & cut[row + on];
          for (const std::size_t end : {row, row + on}) {
            add(found, end, crossed);
            add(beside, end, wider(crossed));
            add(beside, end - across, crossed);
            add(beside, end + across, crossed);
          }
        }
      }
  }
  for (std::size_t row = 0; row < beside.size(); ++row) beside[row] &= m_inside[row];
  ends = found;
  return beside;
}

/// Reads the field where it may meet a value; elsewhere any number on the right side of all values stands for
/// it. False if no cell can be cut.
bool FieldGroup::fillField() {
  Interval all;
  m_pieces.forEach(m_nodes, [&](std::size_t piece, const IndexBox&) {
    const Interval& range = m_pieces.range(piece);
    all.low = std::min(all.low, range.low);
    all.high = std::max(all.high, range.high);
  });
  if (!meets(all)) return false;
  m_pieces.forEach(localBox(), [&](std::size_t piece, const IndexBox& around) {
    const IndexBox part = common(around, m_nodes);
    if (product(part.size) == 0) return;
    const Interval range = m_pieces.range(piece);
    if (meets(range)) {
      // with the neighbours that gradients may need: they cost less now than later
      readField(isStored() ? around : part);
      m_pieces.learn(piece, m_cursor, m_bySlots.variables);
      return;
    }
    if (range.empty()) return;
    scatter(part, [&](std::size_t node, std::size_t) {
      m_field[node] = range.low;
      m_finite[node / kRows] |= static_cast<std::uint16_t>(1U << node % kRows);
    });
  });
  return true;
}

bool FieldGroup::open(const CellGroup& group) {
  for (std::size_t a = 0; a < 3; ++a) {
    m_first[a] = group.cells.first[a] - 1;
    m_cells[a] = static_cast<std::size_t>(group.cells.size[a]);
    m_nodes.first[a] = group.cells.first[a];
    m_nodes.size[a] = group.cells.size[a] + 1;
  }
  m_cellBits = ((1U << m_cells[0]) - 1) << 1;
  m_read = m_finite = m_blank = m_blankRead = Rows{};
  forgetSides();
  if (!fillField()) return false;
  Rows cut = nodesOfCutCells();
  if (isEmpty(cut)) return false;
  const bool wasMissing = readField(cut);
  if (readBlanks(cut) || wasMissing) {
    cut = nodesOfCutCells();
    if (isEmpty(cut)) return false;
  }

  m_inside = Rows{};
  const IndexBox local = localBox();
  const std::size_t corner = nodeOf(local.first);
  const auto row = static_cast<std::uint16_t>(((1U << local.size[0]) - 1) << corner % kRows);
  for (std::int64_t k = 0; k < local.size[2]; ++k)
    for (std::int64_t j = 0; j < local.size[1]; ++j)
      m_inside[corner / kRows + static_cast<std::size_t>(j + kSide * k)] = row;
  Rows placed = m_inside;
  // nothing more is read of most groups of a stored variable
  if (!isRegular() || m_bySlots.iblank >= 0 || m_outputs > 0 || !isEmpty(without(m_inside, m_read))) {
    Rows ends = cut;
    placed = nodesBeside(ends);
    readField(placed);
    readBlanks(placed);
    for (std::size_t each = 0; each < placed.size(); ++each) placed[each] |= cut[each];
    readShown(ends);
  }
  readPoints(placed);
  m_usable = usableNodes();
  for (std::size_t each = 0; each < placed.size(); ++each) m_usable[each] &= placed[each] & m_read[each];
  findInner();
  return true;
}

}  // namespace farfield::fields
