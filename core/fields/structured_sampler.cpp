#include "core/fields/structured_sampler.h"

#include <algorithm>
#include <cassert>

#include "core/base/error.h"

namespace farfield::fields {
namespace {

/// A walk that has not arrived after so many cells is given up for a search.
constexpr int kMostWalkSteps = 32;

IndexBox cornersOf(const Index3& cell) {
  return {cell, {2, 2, 2}};
}

/// A cheap test before Newton's method: a trilinear cell lies in the box of its corners.
bool cornersHold(const CellCorners& corners, Vec3 point) {
  Bounds box;
  for (const Vec3& corner : corners) box.add(corner);
  for (int a = 0; a < 3; ++a) {
    const double margin =
        1e-6 * (box.max[a] - box.min[a]) + 1e-12 * (std::abs(box.min[a]) + std::abs(box.max[a]));
    if (!(point[a] >= box.min[a] - margin && point[a] <= box.max[a] + margin)) return false;
  }
  return true;
}

}  // namespace

StructuredSampler::StructuredSampler(PagedData& data, tasks::TaskContext& context,
                                     std::shared_ptr<const FunctionPlan> functions, std::int64_t step)
    : m_data(data),
      m_context(context),
      m_functions(std::move(functions)),
      m_step(step),
      m_cursor(data.pool(), context, data.plan().mode) {
  m_inputs.resize(static_cast<std::size_t>(8 * m_functions->inputCount()));
  m_nodeInputs.resize(static_cast<std::size_t>(m_functions->inputCount()));
  m_nodeValues.resize(static_cast<std::size_t>(8 * m_functions->outputCount()));
}

void StructuredSampler::bind(int block) {
  if (block == m_block) return;
  m_cursor.unbind();
  m_cursor.setStep(m_step);
  m_block = block;
  m_cell = m_valueCell = -1;
  const Index3& dims = this->block().dims;
  m_cells = {dims[0] - 1, dims[1] - 1, dims[2] - 1};
  const auto slotOf = [&](const std::string& name) {
    const int handle = m_data.handle(block, name);
    return handle < 0 ? -1 : m_cursor.bind(static_cast<std::uint32_t>(handle));
  };
  m_xyzSlot = this->block().kind == paging::GridKind::Curvilinear ? slotOf("xyz") : -1;
  m_iblankSlot = slotOf("iblank");
  m_variableSlots.clear();
  m_variableComponents.clear();
  for (const std::string& name : m_functions->arrays()) {
    const int handle = m_data.handle(block, name);
    if (handle < 0)
      throw NotFound("block " + std::to_string(block) + " has no array " + name,
                     "choose a function that every block has");
    m_variableSlots.push_back(m_cursor.bind(static_cast<std::uint32_t>(handle)));
    m_variableComponents.push_back(m_data.pool().array(static_cast<std::uint32_t>(handle)).components);
  }
}

void StructuredSampler::loadCell(std::int64_t cell) {
  if (cell == m_cell) return;
  m_cell = -1;
  const Index3 at = unlinear(cell, m_cells);
  std::array<double, 24> xyz;
  std::array<paging::GatherTarget, 2> targets;
  std::size_t count = 0;
  if (m_xyzSlot >= 0) targets[count++] = {m_xyzSlot, xyz.data()};
  if (m_iblankSlot >= 0) targets[count++] = {m_iblankSlot, m_iblank.data()};
  // What holds the point will be evaluated next, so its values' pages are asked for in the same breath.
  if (count > 0) m_cursor.gather(cornersOf(at), {targets.data(), count}, m_variableSlots);
  if (m_xyzSlot >= 0) {
    for (int c = 0; c < 8; ++c) m_corners[c] = {xyz[3 * c], xyz[3 * c + 1], xyz[3 * c + 2]};
  } else {
    const paging::BlockDescription& grid = block();
    for (int c = 0; c < 8; ++c)
      for (int a = 0; a < 3; ++a)
        m_corners[c][a] = grid.origin[a] + grid.spacing[a] * static_cast<double>(at[a] + (c >> a & 1));
  }
  m_cell = cell;
}

bool StructuredSampler::isBlank() const {
  return m_iblankSlot >= 0 &&
         std::any_of(m_iblank.begin(), m_iblank.end(), [](double value) { return value == 0; });
}

void StructuredSampler::loadValues(std::int64_t cell) {
  if (cell == m_valueCell) return;
  m_valueCell = -1;
  constexpr std::size_t kMostArrays = 8;
  assert(m_variableSlots.size() <= kMostArrays);
  std::array<paging::GatherTarget, kMostArrays> targets;
  double* out = m_inputs.data();
  for (std::size_t n = 0; n < m_variableSlots.size(); ++n) {
    targets[n] = {m_variableSlots[n], out};
    out += 8 * m_variableComponents[n];
  }
  m_cursor.gather(cornersOf(unlinear(cell, m_cells)), {targets.data(), m_variableSlots.size()});
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const double* from = m_inputs.data();
    std::size_t at = 0;
    for (const int components : m_variableComponents) {
      for (int c = 0; c < components; ++c)
        m_nodeInputs[at++] =
            from[corner * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)];
      from += 8 * components;
    }
    m_functions->computeNode(m_nodeInputs, {m_nodeValues.data() + corner * values, values});
  }
  m_valueCell = cell;
}

bool StructuredSampler::locate(Vec3 point, Location& location) {
  if (!isFinite(point)) return false;
  const int current = location.valid() ? location.block : -1;
  if (current >= 0) {
    bind(current);
    if (block().kind == paging::GridKind::Regular) {
      if (locateRegular(point, location)) return true;
    } else {
      Location walked = location;
      if (walk(point, walked) == WalkResult::Found) {
        location = walked;
        return true;
      }
      if (searchBlock(current, point, location)) return true;
    }
  }
  for (int candidate = 0; candidate < static_cast<int>(m_data.description().blocks.size()); ++candidate)
    if (candidate != current && searchBlock(candidate, point, location)) return true;
  return false;
}

StructuredSampler::WalkResult StructuredSampler::walk(Vec3 point, Location& location) {
  Vec3 xi = location.xi;
  std::int64_t cell = location.cell;
  for (int step = 0; step < kMostWalkSteps; ++step) {
    loadCell(cell);
    const bool converged = invertCell(m_corners, point, xi);
    if (converged && insideCell(xi)) {
      if (isBlank()) return WalkResult::Lost;
      location.cell = cell;
      location.xi = xi;
      return WalkResult::Found;
    }
    if (!isFinite(xi)) return WalkResult::Lost;
    Index3 at = unlinear(cell, m_cells);
    Index3 to = at;
    for (int a = 0; a < 3; ++a) {
      if (xi[a] < -kCellTolerance) to[a] = std::max<std::int64_t>(at[a] - 1, 0);
      if (xi[a] > 1 + kCellTolerance) to[a] = std::min<std::int64_t>(at[a] + 1, m_cells[a] - 1);
    }
    if (to == at) return WalkResult::Lost;
    cell = linear(to, m_cells);
    xi = {0.5, 0.5, 0.5};
  }
  return WalkResult::Lost;
}

bool StructuredSampler::searchBlock(int number, Vec3 point, Location& location) {
  const paging::BlockDescription& candidate = m_data.description().blocks[static_cast<std::size_t>(number)];
  Bounds widened = candidate.bounds;
  const double margin = 1e-6 * widened.diagonal();
  widened.min = widened.min - Vec3{margin, margin, margin};
  widened.max = widened.max + Vec3{margin, margin, margin};
  if (!widened.contains(point)) return false;
  bind(number);
  if (std::min({m_cells[0], m_cells[1], m_cells[2]}) < 1) return false;
  return candidate.kind == paging::GridKind::Regular ? locateRegular(point, location)
                                                     : searchCurvilinear(point, location);
}

bool StructuredSampler::searchCurvilinear(Vec3 point, Location& location) {
  BoxSearch search(m_data, m_context, m_block, m_step);
  std::vector<IndexBox> groups;
  if (search.available())
    groups = search.candidates(point);
  else
    groups.push_back({{0, 0, 0}, m_cells});
  std::int64_t best = -1;
  Vec3 bestXi;
  for (const IndexBox& group : groups) {
    if (best >= 0 && linear(group.first, m_cells) > best) break;
    for (std::int64_t n = 0; n < product(group.size); ++n) {
      const Index3 in = unlinear(n, group.size);
      const std::int64_t cell =
          linear({group.first[0] + in[0], group.first[1] + in[1], group.first[2] + in[2]}, m_cells);
      if (best >= 0 && cell > best) break;
      loadCell(cell);
      if (!cornersHold(m_corners, point) || isBlank()) continue;
      Vec3 xi{0.5, 0.5, 0.5};
      if (!invertCell(m_corners, point, xi) || !insideCell(xi)) continue;
      best = cell;
      bestXi = xi;
    }
  }
  if (best < 0) return false;
  location = {m_block, best, bestXi};
  return true;
}

bool StructuredSampler::locateRegular(Vec3 point, Location& location) {
  const paging::BlockDescription& grid = block();
  Index3 low;
  Vec3 index;
  for (int a = 0; a < 3; ++a) {
    index[a] = (point[a] - grid.origin[a]) / grid.spacing[a];
    if (!(index[a] >= -kCellTolerance && index[a] <= static_cast<double>(m_cells[a]) + kCellTolerance))
      return false;
    // A point on a face belongs to both cells; the one of lower number comes first.
    low[a] = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(index[a] - kCellTolerance)) - 1, 0,
                                      m_cells[a] - 1);
  }
  for (int corner = 0; corner < 8; ++corner) {
    Index3 cell = low;
    Vec3 xi;
    bool holds = true;
    for (int a = 0; a < 3; ++a) {
      cell[a] += corner >> a & 1;
      xi[a] = index[a] - static_cast<double>(cell[a]);
      holds = holds && cell[a] < m_cells[a] && xi[a] >= -kCellTolerance && xi[a] <= 1 + kCellTolerance;
    }
    if (!holds) continue;
    const std::int64_t number = linear(cell, m_cells);
    if (m_iblankSlot >= 0) {
      loadCell(number);
      if (isBlank()) continue;
    }
    location = {m_block, number, xi};
    return true;
  }
  return false;
}

void StructuredSampler::evaluate(const Location& location, std::span<double> out) {
  bind(location.block);
  loadValues(location.cell);
  const std::array<double, 8> weights = cornerWeights(location.xi);
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  for (std::size_t v = 0; v < values; ++v) {
    double sum = 0;
    for (std::size_t corner = 0; corner < 8; ++corner)
      sum += weights[corner] * m_nodeValues[corner * values + v];
    out[v] = sum;
  }
}

double StructuredSampler::cellsPerTime(const Location& location, Vec3 velocity) {
  bind(location.block);
  loadCell(location.cell);
  Vec3 inCell;
  if (!solve3(mapPoint(m_corners, location.xi).jacobian, velocity, inCell)) return 0;
  return length(inCell);
}

}  // namespace farfield::fields
