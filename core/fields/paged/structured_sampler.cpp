#include "core/fields/paged/structured_sampler.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/fields/paged/cell_walk.h"
#include "core/fields/paged/group_scan.h"
#include "core/fields/paged/page_path.h"
#include "core/paging/location/cell_boxes.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::fields {
namespace {

/// Makes a cell out of the four corners of a flat cell (given twice): about as thick as it is wide, with the
/// plane in its middle, so that points of the plane are inside and values do not change across.
void thicken(CellCorners& corners) {
  const Vec3 normal = cross(corners[3] - corners[0], corners[2] - corners[1]);
  const double area = length(normal);
  const Vec3 half = area > 0 ? (0.5 / std::sqrt(area)) * normal : Vec3{};
  for (std::size_t c = 0; c < 4; ++c) {
    corners[c + 4] = corners[c] + half;
    corners[c] = corners[c] - half;
  }
}

/// The axes of a block, that of its plane, if it is one, last.
std::array<std::size_t, 3> axesOfCells(int flat) {
  return flat == 0   ? std::array<std::size_t, 3>{1, 2, 0}
         : flat == 1 ? std::array<std::size_t, 3>{0, 2, 1}
                     : std::array<std::size_t, 3>{0, 1, 2};
}

/// `weight` of the way from a step's value to that of the next one.
template <class Value>
Value mixed(const Value& value, const Value& next, double weight) {
  return (1 - weight) * value + weight * next;
}

/// The corners' coordinates, from a gather.
CellCorners cornersAt(const double* xyz) {
  CellCorners corners;
  for (std::size_t c = 0; c < 8; ++c) corners[c] = {xyz[3 * c], xyz[3 * c + 1], xyz[3 * c + 2]};
  return corners;
}

}  // namespace

StructuredSampler::StructuredSampler(PagedData& data, tasks::TaskContext& context,
                                     std::shared_ptr<const FunctionPlan> functions)
    : m_data(data),
      m_context(context),
      m_functions(std::move(functions)),
      m_stepsAtATime(data.stepsAtATime()),
      m_boxFunctions(*m_functions),
      m_cursor(data.cache(), context, data.plan().mode),
      m_finestFirst(paging::isAmr(data.description())) {
  const auto inputs = static_cast<std::size_t>(m_functions->inputCount());
  const int values = m_stepsAtATime * 8 * m_functions->outputCount(),
            corners = m_stepsAtATime * kCornerNumbers;
  m_inputs.resize(static_cast<std::size_t>(m_stepsAtATime) * 8 * inputs);
  m_nodeInputs.resize(inputs);
  m_values.resize(static_cast<std::size_t>(kRecentCells * values));
  m_corners.resize(static_cast<std::size_t>(kRecentCells * corners));
  int n = 0;
  for (RecentCell& cell : m_recent) {
    cell.firstValue = n * values;
    cell.firstCorner = n * corners;
    ++n;
  }
}

std::uint64_t StructuredSampler::bytesFor(const FunctionPlan& functions, int stepsAtATime) {
  const int ofStep =
      8 * functions.inputCount() + kRecentCells * (8 * functions.outputCount() + kCornerNumbers);
  const int numbers = functions.inputCount() + stepsAtATime * ofStep;
  const std::uint64_t box = functions.gradientCount() > 0 ? BoxFunctions::bytesFor(functions, {2, 2, 2}) : 0;
  const std::uint64_t arrays = static_cast<std::uint64_t>(stepsAtATime) * functions.arrays().size() *
                               (sizeof(paging::GatherTarget) + 3 * sizeof(int));
  return sizeof(StructuredSampler) + static_cast<std::uint64_t>(numbers) * sizeof(double) + arrays + box;
}

void StructuredSampler::turnToOther(int block, FieldTime time) {
  assert(m_stepsAtATime >= (time.isCubic() ? 4 : time.readsNext() ? 2 : 1));
  const bool sameSteps =
      time.step == m_time.step && time.readsNext() == between() && time.isCubic() == m_time.isCubic();
  m_time = time;
  if (time.isCubic() && !sameSteps) m_curve = StepCurve(m_data.description().times, time.step);
  const bool lacksSteps = m_block >= 0 && time.isCubic() && !m_boundAround;
  if (block != m_block || lacksSteps) return bind(block);
  if (!sameSteps) {
    m_cursor.setStep(time.step);
    m_recent.forget();
    listSlots();
  } else if (moves()) {
    for (RecentCell& cell : m_recent) cell.hasGrid = false;
  }
}

void StructuredSampler::bind(int block) {
  m_cursor.unbind();
  m_cursor.setStep(m_time.step);
  m_block = block;
  m_search.reset();
  m_recent.forget();
  m_line = {};
  const Index3& dims = this->block().dims;
  const int flat = paging::flatAxis(dims);
  m_flat = flat >= 0;
  m_axes = axesOfCells(flat);
  const Index3 cells = paging::cellDims(dims);
  for (std::size_t n = 0; n < 3; ++n) m_cells[n] = cells[m_axes[n]];
  m_slots.fill(m_data.bind(m_cursor, block, *m_functions));
  m_boundAround = m_time.isCubic();
  const auto bindStep = [this](BlockSlots& slots, std::int64_t later) {
    const auto move = [&](int& slot) {
      if (slot >= 0) slot = m_cursor.bindStep(slot, later);
    };
    move(slots.xyz);
    move(slots.iblank);
    std::for_each(slots.variables.begin(), slots.variables.end(), move);
  };
  if (m_stepsAtATime >= 2) bindStep(m_slots[1], 1);
  if (m_boundAround) {
    bindStep(m_slots[2], -1);
    bindStep(m_slots[3], 2);
  }
  m_variableComponents.clear();
  for (const int slot : m_slots[0].variables) m_variableComponents.push_back(m_cursor.components(slot));
  listSlots();
}

void StructuredSampler::listSlots() {
  m_gridSlots.clear();
  m_valueSlots.clear();
  m_targets.clear();
  for (std::size_t step = 0; step < kMostSteps; ++step) {
    if (!uses(step)) continue;
    const auto isNew = [&](int slot, int before) { return slot >= 0 && (step == 0 || slot != before); };
    // coordinates are linear in time
    if (step < 2 && isNew(m_slots[step].xyz, m_slots[0].xyz)) m_gridSlots.push_back(m_slots[step].xyz);
    if (isNew(m_slots[step].iblank, m_slots[0].iblank)) m_gridSlots.push_back(m_slots[step].iblank);
    double* to = m_inputs.data() + step * 8 * static_cast<std::size_t>(m_functions->inputCount());
    for (std::size_t n = 0; n < m_variableComponents.size(); ++n) {
      const int slot = m_slots[step].variables[n];
      if (isNew(slot, m_slots[0].variables[n])) {
        m_valueSlots.push_back(slot);
        m_targets.push_back({slot, to});
      }
      to += std::ptrdiff_t{8} * m_variableComponents[n];
    }
  }
}

StructuredSampler::RecentCell& StructuredSampler::recent(std::int64_t number) {
  const auto [cell, isNew] = m_recent.find(number);
  if (isNew) {
    cell->at = unlinear(number, m_cells);
    cell->hasGrid = cell->hasCorners = cell->hasValues = false;
    cell->blank = cell->blankBefore = cell->blankAfter = false;
  }
  return *cell;
}

/// The eight corners of a cell; those of a flat one also stand for the four above them.
void StructuredSampler::gatherCorners(const Index3& cell, std::span<const paging::GatherTarget> targets,
                                      std::span<const int> alongside) {
  if (!m_flat) {
    m_cursor.gatherCell(cell, targets, alongside);
    return;
  }
  m_cursor.gather(nodesOf({cell, {1, 1, 1}}), targets, alongside);
  for (const paging::GatherTarget& target : targets) {
    const int numbers = 4 * m_cursor.components(target.slot);
    std::copy_n(target.out, numbers, target.out + numbers);
  }
}

/// Coordinates of the corners of `cell`, and whether it is blank.
void StructuredSampler::gatherGrid(RecentCell& cell) {
  double* const xyz = m_corners.data() + cell.firstCorner;
  std::array<double, 8 * kMostSteps> iblank;
  std::array<bool*, kMostSteps> blank;  // whose values these are
  std::array<paging::GatherTarget, 2 + kMostSteps> targets;
  std::size_t count = 0, blanks = 0;
  for (const int slot : m_gridSlots) {
    if (slot == m_slots[0].xyz || slot == m_slots[1].xyz) {
      targets[count++] = {slot, xyz + (slot == m_slots[0].xyz ? 0 : kCornerNumbers)};
      continue;
    }
    targets[count++] = {slot, iblank.data() + 8 * blanks};
    const bool now = slot == m_slots[0].iblank || slot == m_slots[1].iblank;
    blank[blanks++] = now ? &cell.blank : slot == m_slots[2].iblank ? &cell.blankBefore : &cell.blankAfter;
  }
  // the cell that holds the point is evaluated next: request the pages of its values at the same time
  if (count > 0) gatherCorners(cell.at, {targets.data(), count}, m_valueSlots);
  for (std::size_t n = 0; n < blanks; ++n)
    if (std::any_of(iblank.begin() + 8 * static_cast<std::ptrdiff_t>(n),
                    iblank.begin() + 8 * static_cast<std::ptrdiff_t>(n + 1),
                    [](double value) { return value == 0; }))
      *blank[n] = true;
  cell.hasCorners = true;
}

const StructuredSampler::RecentCell& StructuredSampler::withGrid(std::int64_t cell) {
  RecentCell& found = recent(cell);
  if (found.hasGrid) return found;
  if (!found.hasCorners) gatherGrid(found);
  if (m_slots[0].xyz >= 0) {
    const double* const xyz = m_corners.data() + found.firstCorner;
    CellCorners corners = cornersAt(xyz);
    if (moves()) {
      const CellCorners next = cornersAt(xyz + kCornerNumbers);
      for (std::size_t c = 0; c < 8; ++c) corners[c] = mixed(corners[c], next[c], m_time.weight);
    }
    if (m_flat) thicken(corners);
    found.map = TrilinearMap(corners);
  }
  found.hasGrid = true;
  return found;
}

const StructuredSampler::RecentCell& StructuredSampler::withValues(std::int64_t cell) {
  RecentCell& found = recent(cell);
  if (found.hasValues) return found;
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  double* out = m_values.data() + static_cast<std::size_t>(found.firstValue);
  if (m_functions->gradientCount() > 0) {
    const IndexBox corners = nodesOf({found.at, {1, 1, 1}});
    for (std::size_t step = 0; step < kMostSteps; ++step) {
      if (!uses(step)) continue;
      double* const to = out + step * 8 * values;
      m_boxFunctions.compute(m_cursor, m_slots[step], block(), corners, {to, (m_flat ? 4 : 8) * values});
      if (m_flat) std::copy_n(to, 4 * values, to + 4 * values);
    }
  } else {
    // after crossing a face, a line needs the map of its new cell next: request its pages as well
    gatherCorners(found.at, m_targets, found.hasCorners ? std::span<const int>{} : m_gridSlots);
    double* const inputs = m_inputs.data();
    for (std::size_t step = 0; step < kMostSteps; ++step) {
      if (!uses(step)) continue;
      double* const its = inputs + step * 8 * static_cast<std::size_t>(m_functions->inputCount());
      if (step > 0) copyUnchanging(m_slots[step], inputs, its);
      computeCorners(its, out + step * 8 * values);
    }
  }
  if (m_time.isCubic()) {
    if (m_slots[0].iblank >= 0 && !found.hasCorners) gatherGrid(found);
    makeCurves(found, out);
  }
  found.hasValues = true;
  return found;
}

/// Of a cell's numbers at another step, those of arrays without steps.
void StructuredSampler::copyUnchanging(const BlockSlots& slots, const double* same, double* out) const {
  for (std::size_t n = 0; n < m_variableComponents.size(); ++n) {
    const int numbers = 8 * m_variableComponents[n];
    if (slots.variables[n] == m_slots[0].variables[n]) std::copy_n(same, numbers, out);
    same += numbers;
    out += numbers;
  }
}

/// From values at the corners of `cell`, by steps, the coefficients of their curves in time, in their place.
void StructuredSampler::makeCurves(const RecentCell& cell, double* values) const {
  const auto count = static_cast<std::size_t>(8 * m_functions->outputCount());
  double *const now = values, *const next = now + count, *const before = next + count,
                *const after = before + count;
  for (std::size_t n = 0; n < count; ++n) {
    const StepCurve::Coefficients curve =
        m_curve.through(now[n], next[n], before[n], after[n], !cell.blankBefore, !cell.blankAfter);
    now[n] = curve.one;
    next[n] = curve.first;
    before[n] = curve.second;
    after[n] = curve.third;
  }
}

/// The functions at the corners of a cell, from each array's numbers at the corners.
void StructuredSampler::computeCorners(const double* inputs, double* out) {
  if (m_variableComponents.size() == 1) return m_functions->computeNodes(8, inputs, out);
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const double* from = inputs;
    std::size_t at = 0;
    for (const int components : m_variableComponents) {
      for (int c = 0; c < components; ++c)
        m_nodeInputs[at++] =
            from[corner * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)];
      from += std::ptrdiff_t{8} * components;
    }
    m_functions->computeNode(m_nodeInputs, {out + corner * values, values});
  }
}

bool StructuredSampler::locate(Vec3 point, FieldTime time, Location& location) {
  if (!isFinite(point)) return false;
  const int current = location.valid() ? location.block : -1;
  // blocks that are searched later are searched at this time, too
  turnTo(current >= 0 ? current : m_block, time);
  if (current >= 0) {
    if (block().kind != paging::GridKind::Curvilinear) {
      if (locateRegular(point, location)) return true;
    } else {
      Location walked = location;
      if (walk(point, walked) == Nearness::Inside) {
        location = walked;
        return true;
      }
      if (searchBlock(current, point, location)) return true;
    }
  }
  const int blocks = static_cast<int>(m_data.description().blocks.size());
  for (int n = 0; n < blocks; ++n) {
    const int candidate = m_finestFirst ? blocks - 1 - n : n;
    if (candidate != current && searchBlock(candidate, point, location)) return true;
  }
  return false;
}

Nearness StructuredSampler::locateNear(Vec3 point, FieldTime time, Location& location) {
  if (!isFinite(point)) return Nearness::Far;
  turnTo(location.block, time);
  if (block().kind == paging::GridKind::Curvilinear) return walk(point, location);
  if (locateRegular(point, location)) return Nearness::Inside;
  return besideRegular(inCellAxes(inRegular(block(), point)), location, m_cells,
                       [this](std::int64_t cell) { return isBlank(cell); });
}

Nearness StructuredSampler::walk(Vec3 point, Location& location) {
  return walkTo(point, location, m_cells,
                [this](std::int64_t cell) -> const RecentCell& { return withGrid(cell); });
}

bool StructuredSampler::searchBlock(int number, Vec3 point, Location& location) {
  const paging::BlockDescription& candidate = m_data.description().blocks[static_cast<std::size_t>(number)];
  if (!boundsMayHold(candidate.bounds, point)) return false;
  turnTo(number, m_time);
  if (std::min({m_cells[0], m_cells[1], m_cells[2]}) < 1) return false;
  return candidate.kind == paging::GridKind::Curvilinear ? searchCurvilinear(point, location)
                                                         : locateRegular(point, location);
}

bool StructuredSampler::searchCurvilinear(Vec3 point, Location& location) {
  if (!m_search) m_search.emplace(m_data, m_context, m_block);
  Location best;
  if (m_search->available()) {
    for (const CellGroup& ofBlock : m_search->candidates(point, m_time)) {
      const CellGroup group = inCellAxes(ofBlock);
      if (best.valid() && linear(group.cells.first, m_cells) > best.cell) break;
      searchGroup(group, point, best);
    }
  } else {
    CellGroup group{{}, block().bounds};
    Index3& at = group.cells.first;
    for (at[2] = 0; at[2] < m_cells[2]; at[2] += kCellsPerGroup)
      for (at[1] = 0; at[1] < m_cells[1]; at[1] += kCellsPerGroup)
        for (at[0] = 0; at[0] < m_cells[0]; at[0] += kCellsPerGroup) {
          for (int a = 0; a < 3; ++a) group.cells.size[a] = std::min(kCellsPerGroup, m_cells[a] - at[a]);
          searchGroup(group, point, best);
        }
  }
  if (!best.valid()) return false;
  location = best;
  return true;
}

void StructuredSampler::searchGroup(const CellGroup& group, Vec3 point, Location& best) {
  best.block = m_block;
  fields::searchGroup(
      group, point, m_cells, best,
      [&](std::int64_t k, GroupScan& scan) { return addLayers(group.cells, k, scan); },
      [this](std::int64_t cell) -> const RecentCell& { return withGrid(cell); });
}

/// Adds layer k of the nodes of `cells`, and the layers after it that lie in the same pages.
std::int64_t StructuredSampler::addLayers(const IndexBox& cells, std::int64_t k, GroupScan& scan) {
  if (m_flat) {
    addPlane(nodesOf({cells.first, cells.size}), k, scan);
    return 1;
  }
  IndexBox nodes{{cells.first[0], cells.first[1], cells.first[2] + k},
                 {cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1 - k}};
  if (moves()) {
    nodes.size[2] = 1;
  } else {
    const paging::PageLayout& layout = m_cursor.layout(m_slots[0].xyz);
    const std::int64_t pageEnd = (layout.pageAlong(2, nodes.first[2]) + 1) * layout.extent()[2];
    nodes.size[2] = std::min(nodes.size[2], pageEnd - nodes.first[2]);
  }
  if (moves()) {
    addBetween(nodes, k, scan);
    return 1;
  }
  m_cursor.visitPages(m_slots[0].xyz, nodes, [&](const paging::PagePart& part) {
    IndexBox box = part.nodes;
    for (int a = 0; a < 3; ++a) box.first[a] -= nodes.first[a];
    box.first[2] += k;
    const std::int64_t strideJ = 3 * part.page.size[0];
    scan.add(box, part.data, part.type, part.first(), strideJ, strideJ * part.page.size[1]);
  });
  return nodes.size[2];
}

/// Adds one layer of nodes between two steps.
void StructuredSampler::addBetween(const IndexBox& nodes, std::int64_t k, GroupScan& scan) {
  std::array<std::array<double, 3 * (kCellsPerGroup + 1) * (kCellsPerGroup + 1)>, 2> xyz;
  const std::array<paging::GatherTarget, 2> targets{
      {{m_slots[0].xyz, xyz[0].data()}, {m_slots[1].xyz, xyz[1].data()}}};
  m_cursor.gatherTiled(nodes, targets);
  for (std::size_t n = 0; n < static_cast<std::size_t>(3 * product(nodes.size)); ++n)
    xyz[0][n] = mixed(xyz[0][n], xyz[1][n], m_time.weight);
  const Index3 size{nodes.size[m_axes[0]], nodes.size[m_axes[1]], 1};
  scan.add({{0, 0, k}, size}, xyz[0].data(), ScalarType::F64, 0, 3 * size[0], 3 * size[0] * size[1]);
}

bool StructuredSampler::locateRegular(Vec3 point, Location& location) {
  return insideRegular(inCellAxes(inRegular(block(), point)), m_block, location, m_cells,
                       [this](std::int64_t cell) { return isBlank(cell); });
}

void StructuredSampler::evaluate(const Location& location, FieldTime time, std::span<double> out) {
  turnTo(location.block, time);
  const double* corner = m_values.data() + withValues(location.cell).firstValue;
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  if (m_time.isCubic()) {
    std::fill_n(out.begin(), values, 0.0);
    for (const double weight : cornerWeights(location.xi))
      for (std::size_t v = 0; v < values; ++v, ++corner)
        out[v] += weight * StepCurve::Coefficients{corner[0], corner[8 * values], corner[16 * values],
                                                   corner[24 * values]}
                               .at(m_time.weight);
    return;
  }
  if (between()) {
    const double* next = corner + 8 * values;
    std::fill_n(out.begin(), values, 0.0);
    for (const double weight : cornerWeights(location.xi))
      for (std::size_t v = 0; v < values; ++v) out[v] += weight * mixed(*corner++, *next++, time.weight);
    return;
  }
  if (values == 3) {
    // only a velocity, as the stages of integrators need it
    Vec3 sum;
    for (const double weight : cornerWeights(location.xi)) {
      sum = sum + weight * Vec3{corner[0], corner[1], corner[2]};
      corner += 3;
    }
    out[0] = sum.x;
    out[1] = sum.y;
    out[2] = sum.z;
    return;
  }
  std::fill_n(out.begin(), values, 0.0);
  for (const double weight : cornerWeights(location.xi)) {
    for (std::size_t v = 0; v < values; ++v) out[v] += weight * corner[v];
    corner += values;
  }
}

/// The velocities at the corners of a cell, from the functions there.
CellCorners StructuredSampler::velocitiesAt(const double* corner) const {
  CellCorners velocities;
  for (Vec3& velocity : velocities) {
    velocity = {corner[0], corner[1], corner[2]};
    corner += m_functions->outputCount();
  }
  return velocities;
}

/// The maps of `cell` at the step and, if the grid moves, at the next one.
std::array<TrilinearVector, 2> StructuredSampler::mapsTowardNext(const RecentCell& cell) {
  std::array<TrilinearVector, 2> maps;
  if (!moves()) {
    maps[0] = m_slots[0].xyz < 0 ? boxOf(cell.at) : withGrid(cell.number).map.position();
    return maps;
  }
  const double* xyz = m_corners.data() + withGrid(cell.number).firstCorner;
  for (TrilinearVector& atStep : maps) {
    CellCorners corners = cornersAt(xyz);
    if (m_flat) thicken(corners);
    atStep = TrilinearVector(corners);
    xyz += kCornerNumbers;
  }
  return maps;
}

std::optional<CellFlow> StructuredSampler::flowTowardNext(const Location& location) {
  const RecentCell& cell = withValues(location.cell);
  const std::array<TrilinearVector, 2> position = mapsTowardNext(cell);
  const double* const times = m_data.description().times.data() + m_time.step;
  const auto velocity = [&](std::size_t n) {
    const std::size_t first = static_cast<std::size_t>(cell.firstValue) +
                              n * static_cast<std::size_t>(8 * m_functions->outputCount());
    return TrilinearVector(velocitiesAt(m_values.data() + first));
  };
  if (m_time.isCubic())
    return std::optional<CellFlow>(
        std::in_place, std::in_place_type<CubicHexahedronFlow>, position[0], position[1],
        CubicVelocity{{velocity(0), velocity(1), velocity(2), velocity(3)}}, moves(), times[0], times[1]);
  return std::optional<CellFlow>(std::in_place, std::in_place_type<ChangingHexahedronFlow>, position[0],
                                 position[1], LinearVelocity{velocity(0), velocity(1)}, moves(), times[0],
                                 times[1]);
}

std::optional<CellFlow> StructuredSampler::flowIn(const Location& location, FieldTime time) {
  turnTo(location.block, time);
  if (time.towardNext) return flowTowardNext(location);
  const RecentCell& values = withValues(location.cell);
  const int outputs = m_functions->outputCount();
  const double* corner = m_values.data() + values.firstValue;
  CellCorners velocities;
  for (Vec3& velocity : velocities) {
    velocity = {corner[0], corner[1], corner[2]};
    if (between()) {
      const double* const next = corner + std::ptrdiff_t{8} * outputs;
      velocity = mixed(velocity, {next[0], next[1], next[2]}, time.weight);
    }
    corner += outputs;
  }
  // constructed in place: it has 384 bytes
  constexpr std::in_place_type_t<HexahedronFlow> kShape;
  if (m_slots[0].xyz < 0) return std::optional<CellFlow>(std::in_place, kShape, boxOf(values.at), velocities);
  return std::optional<CellFlow>(std::in_place, kShape, withGrid(location.cell).map.position(), velocities);
}

bool StructuredSampler::crossFace(Location& location, FieldTime time, int face) {
  turnTo(location.block, time);
  return overFace(location, recent(location.cell).at, face, m_cells,
                  [this](std::int64_t cell) { return isBlank(cell); });
}

/// `velocity` in cells per time unit; 0 if the cell has no volume.
Vec3 StructuredSampler::inCells(const Location& location, Vec3 velocity) {
  Vec3 inCell;
  if (m_slots[0].xyz < 0) {
    const Index3 cell = unlinear(location.cell, m_cells);
    for (int n = 0; n < 3; ++n) {
      const std::size_t axis = m_axes[static_cast<std::size_t>(n)];
      const auto [first, last] = cellAlong(block(), axis, cell[static_cast<std::size_t>(n)]);
      inCell[n] = velocity[int(axis)] / (block().axes ? last - first : block().spacing[int(axis)]);
    }
    return isFinite(inCell) ? inCell : Vec3{};
  }
  return solve3(withGrid(location.cell).map.at(location.xi).jacobian, velocity, inCell) ? inCell : Vec3{};
}

double StructuredSampler::cellsPerTime(const Location& location, FieldTime time, Vec3 velocity) {
  turnTo(location.block, time);
  return length(inCells(location, velocity));
}

/// On entering a page: records whether the guess was right, and requests the pages ahead.
void StructuredSampler::goingOn(const Location& location, FieldTime time, Vec3 velocity) {
  if (m_block < 0) return;  // nothing was read, so nothing was waited for
  turnTo(location.block, time);
  const auto ofBlock = [this](Vec3 inCellAxes) {
    Vec3 made;
    for (int n = 0; n < 3; ++n) made[int(m_axes[static_cast<std::size_t>(n)])] = inCellAxes[n];
    return made;
  };
  const Index3 cell = inBlock(recent(location.cell).at);
  const Vec3 position = toVec3(cell) + ofBlock(location.xi);
  const Vec3 previous = std::exchange(m_line.position, position);
  if (m_line.page.contains(cell)) return;
  const paging::PageLayout& layout = m_cursor.layout(0);
  const auto number = static_cast<std::uint64_t>(layout.pageOf(cell));
  m_line.page = layout.box(static_cast<std::int64_t>(number));
  // if nothing was ever waited for, guesses gain nothing
  if (m_cursor.waited().count() == 0) return;

  LookAhead& ahead = m_data.lookAhead();
  const auto now = std::chrono::steady_clock::now();
  const bool first = !std::exchange(m_line.guessing, true);
  if (!first) {
    ahead.pageCrossed(now - m_line.entered - (m_cursor.waited() - m_line.waitedBefore));
    ahead.guessed(m_line.guessed == number);
  }
  m_line.entered = now;
  m_line.waitedBefore = m_cursor.waited();

  const int pages = m_data.lookAheadPages();
  const PagePath path =
      followPages(arcThrough(first ? position : previous, position, ofBlock(inCells(location, velocity))),
                  layout.extent(), block().cellDims(), std::max(1, pages));
  m_line.guessed = path.count > 0 ? static_cast<std::uint64_t>(layout.pageOf(path.cells[0])) : kNoGuess;
  for (int n = 0; n < std::min(path.count, pages); ++n)
    m_cursor.expect(path.cells[static_cast<std::size_t>(n)]);
  m_cursor.sendExpected();
}

}  // namespace farfield::fields
