#include "bench/shared/array_data.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/fields/paged/cell_walk.h"
#include "core/fields/paged/group_scan.h"
#include "core/tasks/loop_threads.h"

namespace farfield::bench {
namespace {

using fields::Location;

template <class T>
const T* valuesOf(const paging::MemoryReader& values, int array, ScalarType type) {
  if (array < 0) return nullptr;
  const auto number = static_cast<std::uint32_t>(array);
  const paging::ArrayDescription& description = values.description().arrays[number];
  if (description.type != type)
    throw Unsupported("the comparison in memory takes " + std::string(nameOf(type)) + " alone")
        .at("array " + description.name);
  return reinterpret_cast<const T*>(values.bytes(number).data());
}

}  // namespace

ArrayData::ArrayData(std::shared_ptr<const paging::MemoryReader> values,
                     std::shared_ptr<const fields::FunctionPlan> functions, MemoryAccount& account)
    : m_values(std::move(values)), m_functions(std::move(functions)) {
  const paging::DatasetDescription& data = m_values->description();
  tasks::LoopThreads threads;
  for (int n = 0; n < static_cast<int>(data.blocks.size()); ++n) {
    Block block;
    block.description = data.blocks[static_cast<std::size_t>(n)];
    const Index3& dims = block.description.dims;
    block.cells = {dims[0] - 1, dims[1] - 1, dims[2] - 1};
    block.iblank =
        valuesOf<std::int16_t>(*m_values, data.find(n, paging::ArrayRole::Blanking), ScalarType::I16);
    m_components.clear();
    for (const std::string& name : m_functions->arrays()) {
      const int array = data.find(n, name);
      if (array < 0) throw NotFound("block " + std::to_string(n) + " has no array " + name);
      block.variables.push_back(valuesOf<float>(*m_values, array, ScalarType::F32));
      m_components.push_back(data.arrays[static_cast<std::size_t>(array)].components);
    }
    if (block.description.kind == paging::GridKind::Curvilinear) {
      block.xyz = valuesOf<float>(*m_values, data.find(n, paging::ArrayRole::Coordinates), ScalarType::F32);
      block.pyramid = paging::buildBoxPyramid(*m_values, n, 0, account, threads);
    }
    m_bounds.add(block.description.bounds);
    m_blocks.push_back(std::move(block));
  }
}

ArraySampler::ArraySampler(const ArrayData& data)
    : m_data(data),
      m_nodeInputs(8 * static_cast<std::size_t>(data.functions().inputCount())),
      m_values(kRecentCells * 8 * static_cast<std::size_t>(data.functions().outputCount())) {}

void ArraySampler::bind(int block) {
  if (block == m_number) return;
  m_number = block;
  m_block = &m_data.blocks()[static_cast<std::size_t>(block)];
  for (RecentCell& cell : m_recent) cell.number = -1;
  for (int c = 0; c < 8; ++c)
    m_corners[static_cast<std::size_t>(c)] = linear({c & 1, c >> 1 & 1, c >> 2}, m_block->description.dims);
}

std::size_t ArraySampler::recent(std::int64_t cell) {
  for (std::size_t n = 0; n < kRecentCells; ++n) {
    const std::size_t at = (m_latest + n) % kRecentCells;
    if (m_recent[at].number == cell) return m_latest = at;
  }
  m_latest = (m_latest + kRecentCells - 1) % kRecentCells;
  RecentCell& made = m_recent[m_latest];
  made.number = cell;
  made.at = unlinear(cell, m_block->cells);
  made.node = linear(made.at, m_block->description.dims);
  made.hasGrid = made.hasValues = made.blank = false;
  return m_latest;
}

const ArraySampler::RecentCell& ArraySampler::withGrid(std::int64_t cell) {
  RecentCell& found = m_recent[recent(cell)];
  if (found.hasGrid) return found;
  if (m_block->xyz) {
    fields::CellCorners corners;
    for (std::size_t c = 0; c < 8; ++c) {
      const float* const at = m_block->xyz + 3 * (found.node + m_corners[c]);
      corners[c] = {at[0], at[1], at[2]};
    }
    found.map = fields::TrilinearMap(corners);
  }
  if (m_block->iblank)
    for (const std::int64_t corner : m_corners)
      found.blank = found.blank || m_block->iblank[found.node + corner] == 0;
  found.hasGrid = true;
  return found;
}

const double* ArraySampler::withValues(std::int64_t cell) {
  const std::size_t place = recent(cell);
  RecentCell& found = m_recent[place];
  const auto values = static_cast<std::size_t>(m_data.functions().outputCount());
  const auto inputs = static_cast<std::size_t>(m_data.functions().inputCount());
  double* const corners = m_values.data() + place * 8 * values;
  if (found.hasValues) return corners;
  const std::vector<int>& components = m_data.components();
  if (components.size() == 1) {
    double* to = m_nodeInputs.data();
    for (const std::int64_t corner : m_corners) {
      const float* const from = m_block->variables[0] + (found.node + corner) * components[0];
      for (int c = 0; c < components[0]; ++c) *to++ = from[c];
    }
    m_data.functions().computeNodes(8, m_nodeInputs.data(), corners);
    found.hasValues = true;
    return corners;
  }
  for (std::size_t corner = 0; corner < 8; ++corner) {
    double* to = m_nodeInputs.data();
    for (std::size_t n = 0; n < components.size(); ++n) {
      const float* const from = m_block->variables[n] + (found.node + m_corners[corner]) * components[n];
      for (int c = 0; c < components[n]; ++c) *to++ = from[c];
    }
    m_data.functions().computeNode({m_nodeInputs.data(), inputs}, {corners + corner * values, values});
  }
  found.hasValues = true;
  return corners;
}

bool ArraySampler::locate(Vec3 point, fields::FieldTime /*time*/, Location& location) {
  if (!isFinite(point)) return false;
  const int current = location.valid() ? location.block : -1;
  if (current >= 0) {
    bind(current);
    if (!m_block->xyz) {
      if (locateRegular(point, location)) return true;
    } else {
      Location walked = location;
      if (walk(point, walked) == fields::Nearness::Inside) {
        location = walked;
        return true;
      }
      if (searchBlock(current, point, location)) return true;
    }
  }
  for (int candidate = 0; candidate < static_cast<int>(m_data.blocks().size()); ++candidate)
    if (candidate != current && searchBlock(candidate, point, location)) return true;
  return false;
}

fields::Nearness ArraySampler::locateNear(Vec3 point, fields::FieldTime /*time*/, Location& location) {
  if (!isFinite(point)) return fields::Nearness::Far;
  bind(location.block);
  if (m_block->xyz) return walk(point, location);
  if (locateRegular(point, location)) return fields::Nearness::Inside;
  return fields::besideRegular(fields::inRegular(m_block->description, point), location, m_block->cells,
                               [this](std::int64_t cell) { return m_block->iblank && withGrid(cell).blank; });
}

fields::Nearness ArraySampler::walk(Vec3 point, Location& location) {
  return fields::walkTo(point, location, m_block->cells,
                        [this](std::int64_t cell) -> const RecentCell& { return withGrid(cell); });
}

bool ArraySampler::searchBlock(int number, Vec3 point, Location& location) {
  const ArrayData::Block& candidate = m_data.blocks()[static_cast<std::size_t>(number)];
  if (!fields::boundsMayHold(candidate.description.bounds, point)) return false;
  bind(number);
  if (std::min({candidate.cells[0], candidate.cells[1], candidate.cells[2]}) < 1) return false;
  return candidate.xyz ? searchCurvilinear(point, location) : locateRegular(point, location);
}

std::vector<fields::CellGroup> ArraySampler::candidates(Vec3 point) const {
  const Index3& cells = m_block->cells;
  const auto& levels = m_block->pyramid.levels;
  std::vector<Index3> groups{{0, 0, 0}};
  for (std::size_t level = levels.size(); level-- > 0;) {
    const Index3 dims = paging::levelDims(cells, static_cast<int>(level));
    std::vector<Index3> next;
    for (const Index3& group : groups) {
      IndexBox children;
      for (int a = 0; a < 3; ++a) {
        const std::int64_t per = level + 1 == levels.size() ? dims[a] : fields::kGroupsPerGroup;
        children.first[a] = group[a] * per;
        children.size[a] = std::min(per, dims[a] - children.first[a]);
      }
      for (std::int64_t n = 0; n < product(children.size); ++n) {
        const Index3 in = unlinear(n, children.size);
        const Index3 at{children.first[0] + in[0], children.first[1] + in[1], children.first[2] + in[2]};
        const paging::CellBox& box = levels[level][static_cast<std::size_t>(linear(at, dims))];
        const Bounds bounds{{box.min[0], box.min[1], box.min[2]}, {box.max[0], box.max[1], box.max[2]}};
        if (fields::boundsMayHold(bounds, point)) next.push_back(at);
      }
    }
    groups = std::move(next);
  }
  std::vector<fields::CellGroup> found;
  for (const Index3& group : groups) {
    const Index3& dims = m_block->pyramid.dims.front();
    const paging::CellBox& box = levels.front()[static_cast<std::size_t>(linear(group, dims))];
    fields::CellGroup each{{}, {{box.min[0], box.min[1], box.min[2]}, {box.max[0], box.max[1], box.max[2]}}};
    for (int a = 0; a < 3; ++a) {
      each.cells.first[a] = group[a] * fields::kCellsPerGroup;
      each.cells.size[a] = std::min(fields::kCellsPerGroup, cells[a] - each.cells.first[a]);
    }
    found.push_back(each);
  }
  std::sort(found.begin(), found.end(), [&](const fields::CellGroup& a, const fields::CellGroup& b) {
    return linear(a.cells.first, cells) < linear(b.cells.first, cells);
  });
  return found;
}

void ArraySampler::searchGroup(const fields::CellGroup& group, Vec3 point, Location& best) {
  const IndexBox& cells = group.cells;
  best.block = m_number;
  fields::searchGroup(
      group, point, m_block->cells, best,
      [&](std::int64_t, fields::GroupScan& scan) {
        const Index3& dims = m_block->description.dims;
        const Index3 nodes{cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1};
        scan.add({{0, 0, 0}, nodes}, m_block->xyz, ScalarType::F32, 3 * linear(cells.first, dims),
                 3 * dims[0], 3 * dims[0] * dims[1]);
        return nodes[2];
      },
      [this](std::int64_t cell) -> const RecentCell& { return withGrid(cell); });
}

bool ArraySampler::searchCurvilinear(Vec3 point, Location& location) {
  Location best;
  for (const fields::CellGroup& group : candidates(point)) {
    if (best.valid() && linear(group.cells.first, m_block->cells) > best.cell) break;
    searchGroup(group, point, best);
  }
  if (!best.valid()) return false;
  location = best;
  return true;
}

bool ArraySampler::locateRegular(Vec3 point, Location& location) {
  return fields::insideRegular(fields::inRegular(m_block->description, point), m_number, location,
                               m_block->cells,
                               [this](std::int64_t cell) { return m_block->iblank && withGrid(cell).blank; });
}

void ArraySampler::evaluate(const Location& location, fields::FieldTime /*time*/, std::span<double> out) {
  bind(location.block);
  const double* corner = withValues(location.cell);
  const auto values = static_cast<std::size_t>(m_data.functions().outputCount());
  std::fill_n(out.begin(), values, 0.0);
  for (const double weight : fields::cornerWeights(location.xi)) {
    for (std::size_t v = 0; v < values; ++v) out[v] += weight * corner[v];
    corner += values;
  }
}

std::optional<fields::CellFlow> ArraySampler::flowIn(const Location& location, fields::FieldTime /*time*/) {
  bind(location.block);
  const double* corner = withValues(location.cell);
  fields::CellCorners velocities;
  for (Vec3& velocity : velocities) {
    velocity = {corner[0], corner[1], corner[2]};
    corner += m_data.functions().outputCount();
  }
  if (m_block->xyz) return fields::HexahedronFlow(withGrid(location.cell).map.position(), velocities);
  const Index3& at = m_recent[recent(location.cell)].at;
  return fields::HexahedronFlow(fields::regularCell(m_block->description, at), velocities);
}

bool ArraySampler::crossFace(Location& location, fields::FieldTime /*time*/, int face) {
  bind(location.block);
  return fields::overFace(location, m_recent[recent(location.cell)].at, face, m_block->cells,
                          [this](std::int64_t cell) { return m_block->iblank && withGrid(cell).blank; });
}

double ArraySampler::cellsPerTime(const Location& location, fields::FieldTime /*time*/, Vec3 velocity) {
  bind(location.block);
  Vec3 inCell;
  if (!m_block->xyz) {
    for (int a = 0; a < 3; ++a) inCell[a] = velocity[a] / m_block->description.spacing[a];
    return isFinite(inCell) ? length(inCell) : 0;
  }
  if (!fields::solve3(withGrid(location.cell).map.at(location.xi).jacobian, velocity, inCell)) return 0;
  return length(inCell);
}

}  // namespace farfield::bench
