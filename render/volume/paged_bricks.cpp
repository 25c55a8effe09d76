#include "render/volume/paged_bricks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/error.h"
#include "core/fields/functions/box_functions.h"

namespace farfield::volume {
namespace {

/// Functions are computed so many layers of nodes at a time.
constexpr std::int64_t kLayers = 4;

template <class From, class To>
void copyRow(const std::byte* from, std::int64_t stride, std::int64_t count, double offset, To* to) {
  const auto* values = reinterpret_cast<const From*>(from);
  if constexpr (std::is_same_v<From, To>) {
    if (stride == 1) {
      std::memcpy(to, values, static_cast<std::size_t>(count) * sizeof(To));
      return;
    }
  }
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = static_cast<To>(static_cast<double>(values[i * stride]) - offset);
}

struct RowTarget {
  const BrickFormat& format;
  std::byte* raw;
  template <class From>
  void put(const std::byte* from, std::int64_t stride, std::int64_t count, std::int64_t at) const {
    switch (format.type) {
      case BrickType::U8:
        return copyRow<From>(from, stride, count, format.offset, reinterpret_cast<std::uint8_t*>(raw) + at);
      case BrickType::U16:
        return copyRow<From>(from, stride, count, format.offset, reinterpret_cast<std::uint16_t*>(raw) + at);
      case BrickType::F32:
        return copyRow<From>(from, stride, count, 0, reinterpret_cast<float*>(raw) + at);
    }
  }
};

BrickFormat formatOf(ScalarType type) {
  switch (type) {
    case ScalarType::U8:
      return {BrickType::U8, 1, 0};
    case ScalarType::I8:
      return {BrickType::U8, 1, -128};
    case ScalarType::U16:
      return {BrickType::U16, 1, 0};
    case ScalarType::I16:
      return {BrickType::U16, 1, -32768};
    default:
      return {};
  }
}

}  // namespace

bool PagedBricks::canShow(const paging::DatasetDescription& data) {
  if (data.blocks.size() != 1 || data.blocks[0].hasCoordinates()) return false;
  const Index3& dims = data.blocks[0].dims;
  return *std::min_element(dims.begin(), dims.end()) >= 2;
}

std::optional<PagedBricks::Stored> PagedBricks::storedIn(const paging::DatasetDescription& data,
                                                         const fields::FunctionPlan& function) {
  if (data.blocks[0].hasIblank || function.arrays().size() != 1 || function.functions().size() != 1)
    return std::nullopt;
  Stored stored;
  stored.array = data.find(0, function.arrays()[0]);
  if (stored.array < 0) return std::nullopt;
  const paging::ArrayDescription& array = data.arrays[static_cast<std::size_t>(stored.array)];
  const std::string& name = function.functions()[0].name;
  if (array.components != 1 || array.name != name) {
    const auto found = std::find(array.componentNames.begin(), array.componentNames.end(), name);
    if (found == array.componentNames.end()) return std::nullopt;
    stored.component = static_cast<int>(found - array.componentNames.begin());
  }
  stored.format = formatOf(array.type);
  return stored;
}

PagedBricks::PagedBricks(fields::PagedData& data, std::shared_ptr<const fields::FunctionPlan> function,
                         std::int64_t step, int level)
    : m_data(data), m_function(std::move(function)), m_step(step) {
  const paging::DatasetDescription& description = data.description();
  if (!canShow(description))
    throw Unsupported("these data are no single regular block of at least two nodes along each axis");
  if (m_function->outputCount() != 1)
    throw Invalid("'" + m_function->functions()[0].name + "' is a vector, and a volume shows one number",
                  "choose one of its components or its magnitude");
  const paging::BlockDescription& block = description.blocks[0];
  m_grid.nodes = block.dims;
  m_grid.origin = block.origin;
  m_grid.spacing = block.spacing;
  if (block.axes) m_grid.axes = *block.axes;
  m_grid.level = level;
  const auto stored = storedIn(description, *m_function);
  if (!stored) return;
  m_array = stored->array;
  m_component = stored->component;
  m_format = stored->format;
}

std::optional<paging::ValueRange> PagedBricks::range(const Index3& brick) const {
  if (m_array < 0) return std::nullopt;
  const auto array = static_cast<std::uint32_t>(m_array);
  const paging::ArrayDescription& stored = m_data.description().arrays[array];
  const Index3 cells = m_grid.cellsOf(brick);
  Index3 first, last;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t cell = brick[a] * kBrickCells;
    first[a] = stored.layout.pageAlong(static_cast<int>(a), cell);
    last[a] = stored.layout.pageAlong(static_cast<int>(a), cell + cells[a] - 1);
  }
  paging::ValueRange range;
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i) {
        const std::int64_t page = linear({i, j, k}, stored.layout.pagesPerAxis());
        const auto summary = m_data.data().summaryOf(array, stored.pageNumber(m_step, page));
        if (!summary) return std::nullopt;
        const paging::ValueRange& part = summary->components.at(static_cast<std::size_t>(m_component));
        range.min = std::min(range.min, part.min);
        range.max = std::max(range.max, part.max);
      }
  return range;
}

std::optional<paging::ValueRange> PagedBricks::wholeRange() const {
  if (m_array < 0) return std::nullopt;
  const auto range = m_data.data().storedRange(static_cast<std::uint32_t>(m_array), m_component);
  if (!range) return std::nullopt;
  return paging::ValueRange{(*range)[0], (*range)[1]};
}

Vec3 PagedBricks::bricksTogether() const {
  const int array = m_array >= 0                   ? m_array
                    : m_function->arrays().empty() ? -1
                                                   : m_data.description().find(0, m_function->arrays()[0]);
  if (array < 0) return {1, 1, 1};
  const Index3& page = m_data.description().arrays[static_cast<std::size_t>(array)].layout.extent();
  Vec3 together;
  for (int a = 0; a < 3; ++a)
    together[a] = static_cast<double>(page[static_cast<std::size_t>(a)]) / kBrickCells;
  return together;
}

std::uint64_t PagedBricks::readBytesFor(const fields::FunctionPlan& function) {
  const Index3 size{kBrickSide, kBrickSide, kLayers};
  return fields::BoxFunctions::bytesFor(function, size) +
         static_cast<std::uint64_t>(product(size)) * 2 * sizeof(double);
}

std::uint64_t PagedBricks::readBytes() const {
  return m_array >= 0 ? 4096 : readBytesFor(*m_function);
}

void PagedBricks::readStored(paging::Cursor& cursor, int slot, const IndexBox& nodes, const Index3& shift,
                             Brick& out) const {
  const RowTarget target{m_format, out.raw()};
  cursor.visitPages(slot, nodes, [&](const paging::PagePart& part) {
    const auto size = static_cast<std::int64_t>(sizeOf(part.type));
    for (std::int64_t k = 0; k < part.nodes.size[2]; ++k)
      for (std::int64_t j = 0; j < part.nodes.size[1]; ++j) {
        const std::int64_t source =
            part.first() + m_component + part.components * part.page.size[0] * (j + part.page.size[1] * k);
        const std::int64_t at = part.nodes.first[0] - shift[0] +
                                kBrickSide * (part.nodes.first[1] + j - shift[1] +
                                              kBrickSide * (part.nodes.first[2] + k - shift[2]));
        const std::byte* const from = part.data + source * size;
        const std::int64_t count = part.nodes.size[0];
        switch (part.type) {
          case ScalarType::U8:
            target.put<std::uint8_t>(from, part.components, count, at);
            break;
          case ScalarType::I8:
            target.put<std::int8_t>(from, part.components, count, at);
            break;
          case ScalarType::U16:
            target.put<std::uint16_t>(from, part.components, count, at);
            break;
          case ScalarType::I16:
            target.put<std::int16_t>(from, part.components, count, at);
            break;
          case ScalarType::I32:
            target.put<std::int32_t>(from, part.components, count, at);
            break;
          case ScalarType::F32:
            target.put<float>(from, part.components, count, at);
            break;
          case ScalarType::F64:
            target.put<double>(from, part.components, count, at);
            break;
        }
      }
  });
}

void PagedBricks::readComputed(paging::Cursor& cursor, tasks::TaskContext& context, const IndexBox& nodes,
                               const Index3& shift, Brick& out) const {
  const fields::BlockSlots slots = m_data.bind(cursor, 0, *m_function);
  cursor.setStep(m_step);
  fields::BoxFunctions functions(*m_function);
  std::vector<double> values, blank;
  for (std::int64_t layer = 0; layer < nodes.size[2]; layer += kLayers) {
    context.throwIfGivenUp();
    IndexBox slab = nodes;
    slab.first[2] += layer;
    slab.size[2] = std::min(kLayers, nodes.size[2] - layer);
    values.resize(static_cast<std::size_t>(product(slab.size)));
    functions.compute(cursor, slots, m_data.description().blocks[0], slab, values);
    if (slots.iblank >= 0) {
      blank.resize(values.size());
      const paging::GatherTarget target{slots.iblank, blank.data()};
      cursor.gatherTiled(slab, {&target, 1});
      for (std::size_t n = 0; n < values.size(); ++n)
        if (blank[n] == 0) values[n] = std::numeric_limits<double>::quiet_NaN();
    }
    const auto row = static_cast<std::size_t>(slab.size[0]);
    const double* from = values.data();
    for (std::int64_t k = 0; k < slab.size[2]; ++k)
      for (std::int64_t j = 0; j < slab.size[1]; ++j, from += row)
        out.setRow(slab.first[0] - shift[0], slab.first[1] + j - shift[1], slab.first[2] + k - shift[2],
                   {from, row});
  }
}

IndexBox PagedBricks::nodesOf(const Index3& brick, Index3& shift) const {
  IndexBox nodes;
  const Index3 cells = m_grid.cellsOf(brick);
  for (std::size_t a = 0; a < 3; ++a) {
    shift[a] = brick[a] * kBrickCells - 1;
    nodes.first[a] = std::max<std::int64_t>(shift[a], 0);
    nodes.size[a] = std::min(m_grid.nodes[a], shift[a] + cells[a] + 3) - nodes.first[a];
  }
  return nodes;
}

std::vector<paging::PageKey> PagedBricks::pagesOf(const Index3& brick, std::int64_t step) const {
  Index3 shift;
  const IndexBox nodes = nodesOf(brick, shift);
  std::vector<paging::PageKey> keys;
  const paging::DatasetDescription& description = m_data.description();
  const auto add = [&](int number) {
    if (number < 0) return;
    const paging::ArrayDescription& array = description.arrays[static_cast<std::size_t>(number)];
    const std::uint32_t handle = m_data.handles()[static_cast<std::size_t>(number)];
    Index3 first, last;
    for (std::size_t a = 0; a < 3; ++a) {
      first[a] = array.layout.pageAlong(static_cast<int>(a), nodes.first[a]);
      last[a] = array.layout.pageAlong(static_cast<int>(a), nodes.first[a] + nodes.size[a] - 1);
    }
    for (std::int64_t k = first[2]; k <= last[2]; ++k)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t i = first[0]; i <= last[0]; ++i)
          keys.push_back(paging::makeKey(
              handle, array.pageNumber(step, linear({i, j, k}, array.layout.pagesPerAxis()))));
  };
  if (m_array >= 0) {
    add(m_array);
    return keys;
  }
  for (const std::string& name : m_function->arrays()) add(description.find(0, name));
  if (description.blocks[0].hasIblank) add(description.find(0, paging::ArrayRole::Blanking));
  return keys;
}

void PagedBricks::read(const Index3& brick, tasks::TaskContext& context, Brick& out) {
  Index3 shift;
  IndexBox nodes = nodesOf(brick, shift);
  paging::Cursor cursor(m_data.cache(), context, m_data.plan().mode);
  if (m_array >= 0) {
    const int handle = m_data.handle(0, m_data.description().arrays[static_cast<std::size_t>(m_array)].name);
    const int slot = cursor.bind(static_cast<std::uint32_t>(handle));
    cursor.setStep(m_step);
    readStored(cursor, slot, nodes, shift, out);
  } else {
    readComputed(cursor, context, nodes, shift, out);
  }
  for (std::size_t a = 0; a < 3; ++a) nodes.first[a] -= shift[a];
  out.finish(nodes);
}

}  // namespace farfield::volume
