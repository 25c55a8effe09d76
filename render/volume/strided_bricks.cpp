#include "render/volume/strided_bricks.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace farfield::volume {
namespace {

constexpr std::int64_t kFewestNodes = 64;

template <class Value>
double valueOf(const std::byte* at) {
  Value value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double valueOf(ScalarType type, const std::byte* at) {
  switch (type) {
    case ScalarType::U8:
      return valueOf<std::uint8_t>(at);
    case ScalarType::I8:
      return valueOf<std::int8_t>(at);
    case ScalarType::U16:
      return valueOf<std::uint16_t>(at);
    case ScalarType::I16:
      return valueOf<std::int16_t>(at);
    case ScalarType::I32:
      return valueOf<std::int32_t>(at);
    case ScalarType::F32:
      return valueOf<float>(at);
    case ScalarType::F64:
      break;
  }
  return valueOf<double>(at);
}

/// Reading it does not wait: memory, or a formula.
bool isComputed(const fields::PagedData& data) {
  for (const tasks::Reaper* reaper : data.reapers())
    if (const auto* source = dynamic_cast<const paging::PageSource*>(reaper))
      if (!source->readsWhileAsked()) return false;
  return true;
}

}  // namespace

int StridedBricks::levelsOf(const fields::PagedData& data, const fields::FunctionPlan& function) {
  const paging::BoxReader* const reader = data.data().boxReader();
  const auto stored = PagedBricks::storedIn(data.description(), function);
  if (!reader || !stored) return 1;
  const std::string& name = data.description().arrays[static_cast<std::size_t>(stored->array)].name;
  if (reader->description().find(0, name) < 0) return 1;
  const Index3& dims = data.description().blocks[0].dims;
  const std::int64_t longest = *std::max_element(dims.begin(), dims.end()),
                     shortest = *std::min_element(dims.begin(), dims.end());
  int levels = 1;
  while ((longest - 1) >> levels >= kFewestNodes - 1 && (shortest - 1) >> levels >= 1) ++levels;
  return levels;
}

StridedBricks::StridedBricks(fields::PagedData& data, const fields::FunctionPlan& function, std::int64_t step,
                             int level)
    : m_data(data),
      m_reader(*data.data().boxReader()),
      m_step(step),
      m_stride(std::int64_t{1} << level),
      m_byNode(isComputed(data)) {
  const paging::DatasetDescription& description = data.description();
  const PagedBricks::Stored stored = *PagedBricks::storedIn(description, function);
  const paging::ArrayDescription& array = description.arrays[static_cast<std::size_t>(stored.array)];
  m_array = static_cast<std::uint32_t>(m_reader.description().find(0, array.name));
  m_component = stored.component;
  m_type = array.type;
  m_format = stored.format;
  m_nodeBytes = static_cast<std::uint64_t>(array.nodeBytes());
  const paging::BlockDescription& block = description.blocks[0];
  m_grid.level = level;
  m_grid.origin = block.origin;
  m_grid.spacing = static_cast<double>(m_stride) * block.spacing;
  for (std::size_t a = 0; a < 3; ++a) {
    m_grid.nodes[a] = (block.dims[a] - 1) / m_stride + 1;
    if (!block.axes) continue;
    for (std::int64_t n = 0; n < m_grid.nodes[a]; ++n)
      m_grid.axes[a].push_back((*block.axes)[a][static_cast<std::size_t>(n * m_stride)]);
  }
  m_rowBytes =
      m_byNode ? m_nodeBytes : m_nodeBytes * static_cast<std::uint64_t>((kBrickSide - 1) * m_stride + 1);
}

void StridedBricks::read(const Index3& brick, tasks::TaskContext&, Brick& out) {
  IndexBox nodes;
  Index3 shift;
  const Index3 cells = m_grid.cellsOf(brick);
  for (std::size_t a = 0; a < 3; ++a) {
    shift[a] = brick[a] * kBrickCells - 1;
    nodes.first[a] = std::max<std::int64_t>(shift[a], 0);
    nodes.size[a] = std::min(m_grid.nodes[a], shift[a] + cells[a] + 3) - nodes.first[a];
  }
  std::vector<std::byte> row(m_rowBytes);
  std::array<double, kBrickSide> values{};
  const auto count = static_cast<std::size_t>(nodes.size[0]);
  const paging::ArrayDescription& array = m_reader.description().arrays[m_array];
  const std::int64_t step = array.steps > 1 ? m_step : 0;
  const std::size_t part =
      static_cast<std::size_t>(m_component) * m_nodeBytes / static_cast<std::size_t>(array.components);
  for (std::int64_t k = 0; k < nodes.size[2]; ++k)
    for (std::int64_t j = 0; j < nodes.size[1]; ++j) {
      IndexBox box{
          {nodes.first[0] * m_stride, (nodes.first[1] + j) * m_stride, (nodes.first[2] + k) * m_stride},
          {1, 1, 1}};
      if (!m_byNode) {
        box.size[0] = (nodes.size[0] - 1) * m_stride + 1;
        m_reader.read(m_array, step, box, {row.data(), static_cast<std::size_t>(box.size[0]) * m_nodeBytes});
      }
      for (std::size_t i = 0; i < count; ++i) {
        std::size_t at = 0;
        if (m_byNode) {
          m_reader.read(m_array, step, box, row);
          box.first[0] += m_stride;
        } else {
          at = i * static_cast<std::size_t>(m_stride) * m_nodeBytes;
        }
        values[i] = valueOf(m_type, row.data() + at + part);
      }
      out.setRow(nodes.first[0] - shift[0], nodes.first[1] + j - shift[1], nodes.first[2] + k - shift[2],
                 {values.data(), count});
    }
  for (std::size_t a = 0; a < 3; ++a) nodes.first[a] -= shift[a];
  out.finish(nodes);
}

}  // namespace farfield::volume
