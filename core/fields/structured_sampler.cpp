#include "core/fields/structured_sampler.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/fields/cell_walk.h"
#include "core/fields/group_scan.h"
#include "core/fields/page_path.h"
#include "core/paging/location/cell_boxes.h"

namespace farfield::fields {
namespace {

/// Makes of the four corners of a flat cell, given twice, a cell about as thick as it is wide, with them in
/// its middle: a point of the plane then has a place in it, and values do not change across.
void thicken(CellCorners& corners) {
  const Vec3 normal = cross(corners[3] - corners[0], corners[2] - corners[1]);
  const double area = length(normal);
  const Vec3 half = area > 0 ? (0.5 / std::sqrt(area)) * normal : Vec3{};
  for (std::size_t c = 0; c < 4; ++c) {
    corners[c + 4] = corners[c] + half;
    corners[c] = corners[c] - half;
  }
}

}  // namespace

StructuredSampler::StructuredSampler(PagedData& data, tasks::TaskContext& context,
                                     std::shared_ptr<const FunctionPlan> functions, std::int64_t step)
    : m_data(data),
      m_context(context),
      m_functions(std::move(functions)),
      m_step(step),
      m_boxFunctions(*m_functions),
      m_cursor(data.cache(), context, data.plan().mode) {
  const auto inputs = static_cast<std::size_t>(m_functions->inputCount());
  m_inputs.resize(8 * inputs);
  m_nodeInputs.resize(inputs);
  m_values.resize(std::size_t{kRecentCells} * 8 * static_cast<std::size_t>(m_functions->outputCount()));
  for (int n = 0; n < kRecentCells; ++n) m_recent[n].firstValue = n * 8 * m_functions->outputCount();
}

std::uint64_t StructuredSampler::bytesFor(const FunctionPlan& functions) {
  const int numbers = 9 * functions.inputCount() + kRecentCells * 8 * functions.outputCount();
  const std::uint64_t box = functions.gradientCount() > 0 ? BoxFunctions::bytesFor(functions, {2, 2, 2}) : 0;
  const std::uint64_t arrays = functions.arrays().size() * (sizeof(paging::GatherTarget) + sizeof(int));
  return sizeof(StructuredSampler) + static_cast<std::uint64_t>(numbers) * sizeof(double) + arrays + box;
}

void StructuredSampler::bind(int block) {
  if (block == m_block) return;
  m_cursor.unbind();
  m_cursor.setStep(m_step);
  m_block = block;
  m_search.reset();
  for (RecentCell& cell : m_recent) cell.number = kNoCell;
  m_line = {};
  const Index3& dims = this->block().dims;
  const bool curvilinear = this->block().kind == paging::GridKind::Curvilinear;
  m_cells = curvilinear ? paging::cellDims(dims) : Index3{dims[0] - 1, dims[1] - 1, dims[2] - 1};
  m_flat = curvilinear && dims[2] == 1;
  m_slots = m_data.bind(m_cursor, block, *m_functions);
  m_gridSlots.clear();
  for (const int slot : {m_slots.xyz, m_slots.iblank})
    if (slot >= 0) m_gridSlots.push_back(slot);
  m_variableComponents.clear();
  m_targets.clear();
  double* to = m_inputs.data();
  for (const int slot : m_slots.variables) {
    m_variableComponents.push_back(m_cursor.components(slot));
    m_targets.push_back({slot, to});
    to += std::ptrdiff_t{8} * m_variableComponents.back();
  }
}

StructuredSampler::RecentCell& StructuredSampler::recent(std::int64_t cell) {
  if (m_recent[m_latest].number == cell) return m_recent[m_latest];
  for (int n = 1; n < kRecentCells; ++n) {
    const int at = (m_latest + n) % kRecentCells;
    if (m_recent[at].number != cell) continue;
    m_latest = at;
    return m_recent[at];
  }
  // The one before the latest is the one that was made longest ago.
  m_latest = (m_latest + kRecentCells - 1) % kRecentCells;
  RecentCell& made = m_recent[m_latest];
  made.number = cell;
  made.at = unlinear(cell, m_cells);
  made.hasGrid = made.hasValues = made.blank = false;
  return made;
}

/// The eight corners of a cell; those of a flat one stand for the four above them, too.
void StructuredSampler::gatherCorners(const RecentCell& cell, std::span<const paging::GatherTarget> targets,
                                      std::span<const int> alongside) {
  if (!m_flat) {
    m_cursor.gatherCell(cell.at, targets, alongside);
    return;
  }
  m_cursor.gather({cell.at, {2, 2, 1}}, targets, alongside);
  for (const paging::GatherTarget& target : targets) {
    const int numbers = 4 * m_cursor.components(target.slot);
    std::copy_n(target.out, numbers, target.out + numbers);
  }
}

const StructuredSampler::RecentCell& StructuredSampler::withGrid(std::int64_t cell) {
  RecentCell& found = recent(cell);
  if (found.hasGrid) return found;
  std::array<double, 24> xyz;
  std::array<double, 8> iblank;
  std::array<paging::GatherTarget, 2> targets;
  std::size_t count = 0;
  if (m_slots.xyz >= 0) targets[count++] = {m_slots.xyz, xyz.data()};
  if (m_slots.iblank >= 0) targets[count++] = {m_slots.iblank, iblank.data()};
  // What holds the point will be evaluated next, so its values' pages are asked for in the same breath.
  if (count > 0) gatherCorners(found, {targets.data(), count}, m_slots.variables);
  if (m_slots.iblank >= 0)
    found.blank = std::any_of(iblank.begin(), iblank.end(), [](double value) { return value == 0; });
  if (m_slots.xyz >= 0) {
    CellCorners corners;
    for (std::size_t c = 0; c < 8; ++c) corners[c] = {xyz[3 * c], xyz[3 * c + 1], xyz[3 * c + 2]};
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
  double* const out = m_values.data() + static_cast<std::size_t>(found.firstValue);
  if (m_functions->gradientCount() > 0) {
    const IndexBox corners{found.at, {2, 2, m_flat ? 1 : 2}};
    m_boxFunctions.compute(m_cursor, m_slots, block(), corners, {out, (m_flat ? 4 : 8) * values});
    if (m_flat) std::copy_n(out, 4 * values, out + 4 * values);
    found.hasValues = true;
    return found;
  }
  // Who has come here over a face will need the cell's map next.
  gatherCorners(found, m_targets, found.hasGrid ? std::span<const int>{} : m_gridSlots);
  found.hasValues = true;
  if (m_variableComponents.size() == 1) {
    m_functions->computeNodes(8, m_inputs.data(), out);
    return found;
  }
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const double* from = m_inputs.data();
    std::size_t at = 0;
    for (const int components : m_variableComponents) {
      for (int c = 0; c < components; ++c)
        m_nodeInputs[at++] =
            from[corner * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)];
      from += std::ptrdiff_t{8} * components;
    }
    m_functions->computeNode(m_nodeInputs, {out + corner * values, values});
  }
  return found;
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
      if (walk(point, walked) == Nearness::Inside) {
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

Nearness StructuredSampler::locateNear(Vec3 point, Location& location) {
  if (!isFinite(point)) return Nearness::Far;
  bind(location.block);
  if (block().kind == paging::GridKind::Curvilinear) return walk(point, location);
  if (locateRegular(point, location)) return Nearness::Inside;
  return besideRegular(inRegular(block(), point), location, m_cells,
                       [this](std::int64_t cell) { return m_slots.iblank >= 0 && withGrid(cell).blank; });
}

Nearness StructuredSampler::walk(Vec3 point, Location& location) {
  return walkTo(point, location, m_cells,
                [this](std::int64_t cell) -> const RecentCell& { return withGrid(cell); });
}

bool StructuredSampler::searchBlock(int number, Vec3 point, Location& location) {
  const paging::BlockDescription& candidate = m_data.description().blocks[static_cast<std::size_t>(number)];
  if (!boxMayHold(candidate.bounds, point)) return false;
  bind(number);
  if (std::min({m_cells[0], m_cells[1], m_cells[2]}) < 1) return false;
  return candidate.kind == paging::GridKind::Regular ? locateRegular(point, location)
                                                     : searchCurvilinear(point, location);
}

bool StructuredSampler::searchCurvilinear(Vec3 point, Location& location) {
  if (!m_search) m_search.emplace(m_data, m_context, m_block, m_step);
  Location best;
  if (m_search->available()) {
    for (const CellGroup& group : m_search->candidates(point)) {
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

/// Layer k of the nodes of `cells`, and those after it that lie in the same pages.
std::int64_t StructuredSampler::addLayers(const IndexBox& cells, std::int64_t k, GroupScan& scan) {
  IndexBox nodes{{cells.first[0], cells.first[1], cells.first[2] + k},
                 {cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1 - k}};
  if (m_flat) {
    // The one layer there is stands for that above, too.
    nodes.first[2] = 0;
    nodes.size[2] = 1;
  } else {
    const paging::PageLayout& layout = m_cursor.layout(m_slots.xyz);
    const std::int64_t pageEnd = (layout.pageAlong(2, nodes.first[2]) + 1) * layout.extent()[2];
    nodes.size[2] = std::min(nodes.size[2], pageEnd - nodes.first[2]);
  }
  m_cursor.visitPages(m_slots.xyz, nodes, [&](const paging::PagePart& part) {
    IndexBox box = part.nodes;
    for (int a = 0; a < 3; ++a) box.first[a] -= nodes.first[a];
    box.first[2] += k;
    const std::int64_t strideJ = 3 * part.page.size[0];
    scan.add(box, part.data, part.type, part.first(), strideJ, strideJ * part.page.size[1]);
  });
  return nodes.size[2];
}

bool StructuredSampler::locateRegular(Vec3 point, Location& location) {
  return insideRegular(inRegular(block(), point), m_block, location, m_cells,
                       [this](std::int64_t cell) { return m_slots.iblank >= 0 && withGrid(cell).blank; });
}

void StructuredSampler::evaluate(const Location& location, std::span<double> out) {
  bind(location.block);
  const double* corner = m_values.data() + withValues(location.cell).firstValue;
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  if (values == 3) {
    // A velocity alone, as the stages of integrators need it.
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

std::optional<CellFlow> StructuredSampler::flowIn(const Location& location) {
  bind(location.block);
  const RecentCell& values = withValues(location.cell);
  const double* corner = m_values.data() + values.firstValue;
  CellCorners velocities;
  for (Vec3& velocity : velocities) {
    velocity = {corner[0], corner[1], corner[2]};
    corner += m_functions->outputCount();
  }
  if (m_slots.xyz < 0) return CellFlow(regularCell(block(), values.at), velocities);
  return CellFlow(withGrid(location.cell).map.position(), velocities);
}

bool StructuredSampler::crossFace(Location& location, int axis, bool up) {
  bind(location.block);
  return overFace(location, recent(location.cell).at, axis, up, m_cells,
                  [this](std::int64_t cell) { return m_slots.iblank >= 0 && withGrid(cell).blank; });
}

/// `velocity` in cells per time unit; 0 where the cell has no volume.
Vec3 StructuredSampler::inCells(const Location& location, Vec3 velocity) {
  Vec3 inCell;
  if (m_slots.xyz < 0) {
    for (int a = 0; a < 3; ++a) inCell[a] = velocity[a] / block().spacing[a];
    return isFinite(inCell) ? inCell : Vec3{};
  }
  return solve3(withGrid(location.cell).map.at(location.xi).jacobian, velocity, inCell) ? inCell : Vec3{};
}

double StructuredSampler::cellsPerTime(const Location& location, Vec3 velocity) {
  bind(location.block);
  return length(inCells(location, velocity));
}

/// On entering a page: says whether the guess was right, and asks for the pages ahead.
void StructuredSampler::goingOn(const Location& location, Vec3 velocity) {
  bind(location.block);
  const Index3 cell = recent(location.cell).at;
  const Vec3 position = toVec3(cell) + location.xi;
  const Vec3 previous = std::exchange(m_line.position, position);
  if (m_line.page.contains(cell)) return;
  const paging::PageLayout& layout = m_cursor.layout(0);
  const auto number = static_cast<std::uint64_t>(layout.pageOf(cell));
  m_line.page = layout.box(static_cast<std::int64_t>(number));
  // Who never waits needs no guesses.
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
      followPages(arcThrough(first ? position : previous, position, inCells(location, velocity)),
                  layout.extent(), m_cells, std::max(1, pages));
  m_line.guessed = path.count > 0 ? static_cast<std::uint64_t>(layout.pageOf(path.cells[0])) : kNoGuess;
  for (int n = 0; n < std::min(path.count, pages); ++n)
    m_cursor.expect(path.cells[static_cast<std::size_t>(n)]);
  m_cursor.sendExpected();
}

}  // namespace farfield::fields
