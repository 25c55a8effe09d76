#include "core/fields/paged/unstructured_sampler.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace farfield::fields {
namespace {

constexpr std::size_t kCorners = paging::kCellCorners, kFaces = paging::kCellFaces;
/// A walk that has not arrived after so many cells is given up.
constexpr int kMostWalkSteps = 48;
/// A point farther outside than this, in cells, is not Nearness::Beyond.
constexpr double kMostBeyond = 1;

Vec3 mixed(Vec3 value, Vec3 next, double weight) {
  return (1 - weight) * value + weight * next;
}

bool isInside(UnstructuredShape shape, Vec3 xi) {
  return outsideBy(shape, xi) <= kCellTolerance;
}

/// How far `point` is beyond each face of a pyramid, in space, relative to the face's size. The coordinates of a
/// pyramid do not tell: beyond the apex its map is turned inside out.
std::array<double, kFaces> beyondPyramid(const TrilinearMap& map, Vec3 point) {
  std::array<double, kFaces> beyond;
  beyond.fill(-1);
  for (std::size_t face = 0; face + 1 < kFaces; ++face) {
    std::array<Vec3, 4> corners;
    Vec3 middle;
    for (std::size_t n = 0; n < corners.size(); ++n) {
      const std::uint8_t c = paging::kFaceCorners[face][n];
      corners[n] =
          map.at({static_cast<double>(c & 1), static_cast<double>(c >> 1 & 1), static_cast<double>(c >> 2)})
              .position;
      middle = middle + 0.25 * corners[n];
    }
    const Vec3 area = cross(corners[2] - corners[0], corners[3] - corners[1]);
    const double size = length(area);
    if (size > 0) beyond[face] = dot(point - middle, area) / (size * std::sqrt(size));
  }
  return beyond;
}

/// A point of a cell's face, whose own corners have the weights `from`, in the coordinates of a cell `to` that
/// shares the face: both interpolate linearly between the face's nodes.
Vec3 acrossFace(const paging::CellNodes& nodes, const ShapeWeights& weights, UnstructuredShape shape,
                const paging::CellNodes& toNodes, UnstructuredShape toShape) {
  const paging::OwnCorners own = paging::ownCorners(shape), toOwn = paging::ownCorners(toShape);
  Vec3 xi;
  unsigned shared = 0;  // corners of the other cell on the face
  const auto toCorner = paging::ownOf(toShape);
  for (std::size_t n = 0; n < weights.count; ++n) {
    if (weights.weights[n] == 0) continue;
    for (const std::uint8_t c : toOwn) {
      if (toNodes[c] != nodes[own.corners[n]]) continue;
      xi = xi + weights.weights[n] * Vec3{static_cast<double>(c & 1), static_cast<double>(c >> 1 & 1),
                                          static_cast<double>(c >> 2)};
    }
  }
  if (toShape == UnstructuredShape::Pyramid && xi.z > 0 && xi.z < 1) {
    // lines to the apex have the same x and y
    xi.x /= 1 - xi.z;
    xi.y /= 1 - xi.z;
  }
  for (std::size_t c = 0; c < kCorners; ++c)
    for (std::size_t n = 0; n < own.count; ++n)
      if (weights.weights[n] != 0 && toNodes[toCorner[c]] == nodes[own.corners[n]]) shared |= 1U << c;
  for (std::size_t face = 0; face < kFaces; ++face) {
    bool all = true;
    unsigned corners = 0;  // that are nodes of their own
    for (const std::uint8_t c : paging::kFaceCorners[face]) {
      all = all && (shared >> c & 1) != 0;
      corners |= 1U << toCorner[c];
    }
    // What has collapsed to an edge or a point is no face: a point on an edge shares all its corners, wherever on it it is.
    if (all && std::popcount(corners) > 2) return onFaceOfCell(toShape, xi, static_cast<int>(face));
  }
  return xi;
}

}  // namespace

UnstructuredSampler::UnstructuredSampler(PagedData& data, tasks::TaskContext& context,
                                         std::shared_ptr<const FunctionPlan> functions)
    : m_data(data),
      m_context(context),
      m_functions(std::move(functions)),
      m_stepsAtATime(data.stepsAtATime()),
      m_atNodes(*m_functions),
      m_cursor(data.cache(), context, data.plan().mode) {
  const std::size_t each = static_cast<std::size_t>(m_stepsAtATime) * kCorners *
                           static_cast<std::size_t>(m_functions->outputCount());
  m_values.resize(kRecentCells * each);
  std::size_t first = 0;
  for (RecentCell& cell : m_recent) cell.firstValue = std::exchange(first, first + each);
}

std::uint64_t UnstructuredSampler::bytesFor(const FunctionPlan& functions, int stepsAtATime) {
  const auto steps = static_cast<std::uint64_t>(stepsAtATime);
  return sizeof(UnstructuredSampler) + ListedFunctions::bytesFor(functions, kCorners) +
         kRecentCells * steps * kCorners * static_cast<std::uint64_t>(functions.outputCount()) *
             sizeof(double) +
         (steps + 1) * functions.arrays().size() * sizeof(int);
}

void UnstructuredSampler::turnTo(int block, FieldTime time) {
  if (block == m_block && time == m_time) return;
  assert(!time.readsNext() || m_stepsAtATime == 2);
  const bool sameSteps = time.step == m_time.step && time.readsNext() == between();
  m_time = time;
  if (block != m_block) return bind(block);
  if (!sameSteps) {
    m_cursor.setStep(time.step);
    for (RecentCell& cell : m_recent) cell.hasCorners = cell.hasMap = cell.hasValues = false;
  } else if (moves()) {
    for (RecentCell& cell : m_recent) cell.hasMap = false;
  }
}

void UnstructuredSampler::bind(int block) {
  m_cursor.unbind();
  m_cursor.setStep(m_time.step);
  m_block = block;
  m_search.reset();
  m_recent.forget();
  const paging::BlockDescription& grid = m_data.description().blocks[static_cast<std::size_t>(block)];
  m_cells = grid.cells;
  m_nodes = grid.dims[0];
  m_slots[0] = m_slots[1] = m_data.bind(m_cursor, block, *m_functions);
  const auto handle = [&](paging::ArrayRole role) {
    return static_cast<std::uint32_t>(m_data.handle(block, role));
  };
  m_cellsSlot = m_cursor.bind(handle(paging::ArrayRole::Cells));
  m_neighboursSlot = m_cursor.bind(handle(paging::ArrayRole::Neighbours));
  if (m_stepsAtATime == 2) {
    m_slots[1].xyz = m_cursor.bindNextStep(m_slots[1].xyz);
    for (int& slot : m_slots[1].variables) slot = m_cursor.bindNextStep(slot);
  }
  m_atNodes.bind(m_cursor, m_slots[0]);
  m_nodeSlots.clear();
  for (const int slot : m_slots[0].variables)
    if (!m_cursor.description(slot).onCells) m_nodeSlots.push_back(slot);
}

UnstructuredSampler::RecentCell& UnstructuredSampler::recent(std::int64_t number) {
  const auto [cell, isNew] = m_recent.find(number);
  if (isNew) cell->hasNodes = cell->hasNeighbours = cell->hasCorners = cell->hasMap = cell->hasValues = false;
  return *cell;
}

/// The numbers that the list in `slot` has for `cell`. Throws Corrupt unless they lie between `least` and `end`.
template <std::size_t count>
std::array<std::int32_t, count> UnstructuredSampler::listed(std::int64_t cell, int slot,
                                                            std::span<const int> alongside,
                                                            std::int64_t least, std::int64_t end,
                                                            const char* what) {
  std::array<double, count> gathered;
  const paging::GatherTarget target{slot, gathered.data()};
  m_cursor.gatherNodes({&cell, 1}, {&target, 1}, alongside);
  std::array<std::int32_t, count> numbers;
  for (std::size_t n = 0; n < count; ++n) {
    if (!(gathered[n] >= static_cast<double>(least) && gathered[n] < static_cast<double>(end)))
      throw Corrupt("cell " + std::to_string(cell) + " has a " + what + " that does not exist",
                    "make the file again");
    numbers[n] = static_cast<std::int32_t>(gathered[n]);
  }
  return numbers;
}

UnstructuredSampler::RecentCell& UnstructuredSampler::withNodes(std::int64_t number) {
  RecentCell& cell = recent(number);
  if (cell.hasNodes) return cell;
  // lines need the neighbours next
  cell.nodes = listed<kCorners>(number, m_cellsSlot, {&m_neighboursSlot, 1}, 0, m_nodes, "node");
  cell.shape = paging::shapeOf(cell.nodes);
  cell.hasNodes = true;
  return cell;
}

UnstructuredSampler::RecentCell& UnstructuredSampler::withNeighbours(std::int64_t number) {
  RecentCell& cell = recent(number);
  if (cell.hasNeighbours) return cell;
  cell.neighbours = listed<kFaces>(number, m_neighboursSlot, {}, kNoCell, m_cells, "neighbour");
  cell.hasNeighbours = true;
  // the way goes on in one of them: what it has is on its way from memory until then
  std::array<std::int64_t, kFaces> next;
  std::size_t count = 0;
  for (const std::int32_t neighbour : cell.neighbours)
    if (neighbour >= 0) next[count++] = neighbour;
  m_cursor.gatherNodes({next.data(), count}, {}, {&m_cellsSlot, 1});
  return cell;
}

UnstructuredSampler::RecentCell& UnstructuredSampler::withMap(std::int64_t number) {
  RecentCell& cell = withNodes(number);
  if (cell.hasMap) return cell;
  if (!cell.hasCorners) {
    const paging::OwnCorners own = paging::ownCorners(cell.shape);
    const auto ownCorner = paging::ownOf(cell.shape);
    std::array<std::int64_t, kCorners> nodes;
    for (std::size_t n = 0; n < own.count; ++n) nodes[n] = cell.nodes[own.corners[n]];
    for (std::size_t step = 0; step < (moves() ? 2 : 1); ++step) {
      std::array<double, 3 * kCorners> xyz;
      const paging::GatherTarget target{m_slots[step].xyz, xyz.data()};
      // the cell that holds the point is evaluated next
      m_cursor.gatherNodes({nodes.data(), own.count}, {&target, 1}, m_nodeSlots);
      CellCorners& corners = cell.corners[step];
      for (std::size_t n = 0; n < own.count; ++n)
        corners[own.corners[n]] = {xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]};
      for (std::size_t c = 0; c < kCorners; ++c) corners[c] = corners[ownCorner[c]];
    }
    cell.hasCorners = true;
  }
  CellCorners corners = cell.corners[0];
  if (moves())
    for (std::size_t c = 0; c < kCorners; ++c)
      corners[c] = mixed(corners[c], cell.corners[1][c], m_time.weight);
  cell.map = TrilinearMap(vectorIn(cell.shape, corners), corners);
  cell.hasMap = true;
  return cell;
}

UnstructuredSampler::RecentCell& UnstructuredSampler::withValues(std::int64_t number) {
  RecentCell& cell = m_functions->gradientCount() > 0 ? withMap(number) : withNodes(number);
  if (cell.hasValues) return cell;
  const std::size_t each = kCorners * static_cast<std::size_t>(m_functions->outputCount());
  for (std::size_t step = 0; step < (between() ? 2 : 1); ++step)
    m_atNodes.computeCell(m_cursor, m_slots[step], number, cell.nodes, cell.corners[moves() ? step : 0],
                          std::span(m_values).subspan(cell.firstValue + step * each, each));
  cell.hasValues = true;
  return cell;
}

bool UnstructuredSampler::locate(Vec3 point, FieldTime time, Location& location) {
  if (!isFinite(point)) return false;
  const int current = location.valid() ? location.block : -1;
  if (current >= 0) {
    turnTo(current, time);
    Location walked = location;
    if (walk(point, walked) == Nearness::Inside) {
      location = walked;
      return true;
    }
  } else if (m_block >= 0) {
    turnTo(m_block, time);
  } else {
    m_time = time;
  }
  if (current >= 0 && searchBlock(current, point, location)) return true;
  for (int candidate = 0; candidate < static_cast<int>(m_data.description().blocks.size()); ++candidate)
    if (candidate != current && searchBlock(candidate, point, location)) return true;
  return false;
}

Nearness UnstructuredSampler::locateNear(Vec3 point, FieldTime time, Location& location) {
  if (!isFinite(point)) return Nearness::Far;
  turnTo(location.block, time);
  return walk(point, location);
}

Nearness UnstructuredSampler::walk(Vec3 point, Location& location) {
  std::int64_t number = location.cell, previous = kNoCell;
  Vec3 xi = location.xi;
  for (int step = 0; step < kMostWalkSteps; ++step) {
    const RecentCell& cell = withMap(number);
    const UnstructuredShape shape = cell.shape;
    const bool converged = cell.map.invert(point, xi);
    if (!isFinite(xi) && shape != UnstructuredShape::Pyramid) return Nearness::Far;
    if (converged && isInside(shape, xi)) {
      location.cell = number;
      location.xi = xi;
      return Nearness::Inside;
    }
    // across the face beyond which the point is farthest, if there is a cell
    const std::array<double, kFaces> beyond =
        shape == UnstructuredShape::Pyramid ? beyondPyramid(cell.map, point) : beyondFaces(shape, xi);
    const RecentCell& known = withNeighbours(number);
    std::int64_t next = kNoCell;
    double farthest = kCellTolerance;
    for (std::size_t face = 0; face < kFaces; ++face)
      if (beyond[face] > farthest && known.neighbours[face] >= 0 && known.neighbours[face] != previous) {
        farthest = beyond[face];
        next = known.neighbours[face];
      }
    if (next == kNoCell) {
      if (!converged || fields::outsideBy(shape, xi) > kMostBeyond) return Nearness::Far;
      // between two cells whose maps disagree by rounding the point is near both
      location.cell = number;
      location.xi = xi;
      return Nearness::Beyond;
    }
    previous = number;
    number = next;
    xi = centreOf(withNodes(number).shape);
  }
  return Nearness::Far;
}

bool UnstructuredSampler::searchBlock(int number, Vec3 point, Location& location) {
  if (!boundsMayHold(m_data.description().blocks[static_cast<std::size_t>(number)].bounds, point))
    return false;
  turnTo(number, m_time);
  if (!m_search) m_search.emplace(m_data, m_context, m_block);
  if (!m_search->available())
    throw Corrupt("an unstructured block has no location bounds", "convert it again");
  Location best;
  for (const CellGroup& group : m_search->candidates(point, m_time)) {
    const std::int64_t first = group.cells.first[0];
    if (best.valid()) break;  // groups ascend
    for (std::int64_t n = first; n < first + group.cells.size[0] && !best.valid(); ++n) {
      const RecentCell& cell = withMap(n);
      if (!cell.map.mayHold(point)) continue;
      Vec3 xi = centreOf(cell.shape);
      if (cell.map.invert(point, xi) && isInside(cell.shape, xi)) best = {m_block, n, xi};
    }
  }
  if (!best.valid()) return false;
  location = best;
  return true;
}

void UnstructuredSampler::evaluate(const Location& location, FieldTime time, std::span<double> out) {
  turnTo(location.block, time);
  const RecentCell& cell = withValues(location.cell);
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  const ShapeWeights weights = weightsIn(cell.shape, location.xi);
  const paging::OwnCorners own = paging::ownCorners(cell.shape);
  std::fill_n(out.begin(), values, 0.0);
  for (std::size_t n = 0; n < own.count; ++n) {
    const double* const at = m_values.data() + cell.firstValue + own.corners[n] * values;
    const double* const next = at + kCorners * values;
    const double weight = weights.weights[n];
    for (std::size_t v = 0; v < values; ++v)
      out[v] += weight * (between() ? (1 - time.weight) * at[v] + time.weight * next[v] : at[v]);
  }
}

/// The velocity at the corners at a step, in the cell's coordinates.
TrilinearVector UnstructuredSampler::velocityIn(const RecentCell& cell, std::size_t step) const {
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  CellCorners velocities;
  const double* at = m_values.data() + cell.firstValue + step * kCorners * values;
  for (Vec3& velocity : velocities) {
    velocity = {at[0], at[1], at[2]};
    at += values;
  }
  return vectorIn(cell.shape, velocities);
}

std::optional<CellFlow> UnstructuredSampler::flowIn(const Location& location, FieldTime time) {
  turnTo(location.block, time);
  withMap(location.cell);
  withNeighbours(location.cell);
  const RecentCell& cell = withValues(location.cell);
  const auto made = [&]<class Shape>(std::in_place_type_t<Shape>) -> std::optional<CellFlow> {
    if (time.towardNext) {
      const double* const times = m_data.description().times.data() + m_time.step;
      return std::optional<CellFlow>(
          std::in_place, std::in_place_type<ChangingFlow<Shape>>, vectorIn(cell.shape, cell.corners[0]),
          vectorIn(cell.shape, cell.corners[moves() ? 1 : 0]),
          LinearVelocity{velocityIn(cell, 0), velocityIn(cell, 1)}, moves(), times[0], times[1]);
    }
    TrilinearVector velocity = velocityIn(cell, 0);
    if (between()) {
      const TrilinearVector next = velocityIn(cell, 1);
      const auto mix = [&](Vec3 TrilinearVector::*part) {
        velocity.*part = mixed(velocity.*part, next.*part, time.weight);
      };
      using V = TrilinearVector;
      for (const auto part : {&V::one, &V::x, &V::y, &V::z, &V::xy, &V::yz, &V::zx, &V::xyz}) mix(part);
    }
    return std::optional<CellFlow>(std::in_place, std::in_place_type<SteadyFlow<Shape>>, cell.map.position(),
                                   velocity);
  };
  switch (cell.shape) {
    case UnstructuredShape::Tetrahedron:
      return made(std::in_place_type<Tetrahedron>);
    case UnstructuredShape::Wedge:
      return made(std::in_place_type<Wedge>);
    case UnstructuredShape::Pyramid:
    case UnstructuredShape::Hexahedron:
      break;
  }
  return made(std::in_place_type<Hexahedron>);
}

bool UnstructuredSampler::crossFace(Location& location, FieldTime time, int face) {
  turnTo(location.block, time);
  withNodes(location.cell);
  const RecentCell& from = withNeighbours(location.cell);
  const std::int64_t number = from.neighbours[static_cast<std::size_t>(faceOfCell(from.shape, face))];
  if (number < 0) return false;
  const paging::CellNodes nodes = from.nodes;
  const UnstructuredShape shape = from.shape;
  const RecentCell& to = withNodes(number);
  location.xi = acrossFace(nodes, weightsIn(shape, location.xi), shape, to.nodes, to.shape);
  location.cell = number;
  return true;
}

double UnstructuredSampler::outsideBy(const Location& location) {
  turnTo(location.block, m_time);
  return fields::outsideBy(withNodes(location.cell).shape, location.xi);
}

double UnstructuredSampler::cellsPerTime(const Location& location, FieldTime time, Vec3 velocity) {
  turnTo(location.block, time);
  Vec3 inCell;
  return solve3(withMap(location.cell).map.at(location.xi).jacobian, velocity, inCell) ? length(inCell) : 0;
}

}  // namespace farfield::fields
