#include "core/fields/places/surface_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fields/cells/unstructured_map.h"
#include "core/fields/places/near_groups.h"
#include "core/paging/arranging/flat_mesh.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::fields {
namespace {

constexpr int kMostSteps = 32;
/// Of the diagonal: a place that is no farther from a face is that of a face.
constexpr double kRounding = 1e-9;
/// Groups of faces that are looked at at most, of all those within reach.
constexpr int kMostGroups = 512;

/// A place of a face, in its own coordinates.
struct OnFace {
  double x = 0, y = 0;
  double squared = std::numeric_limits<double>::infinity();  ///< how far away it is
};

void take(OnFace& best, double x, double y, Vec3 away) {
  if (const double squared = dot(away, away); squared < best.squared) best = {x, y, squared};
}

/// The nearest of the edge from (x, y) on, over `along` in space and (dx, dy) in the face.
void takeOnEdge(OnFace& best, Vec3 point, Vec3 from, Vec3 along, double x, double y, double dx, double dy) {
  const double size = dot(along, along);
  const double part = size > 0 ? std::clamp(dot(point - from, along) / size, 0.0, 1.0) : 0;
  take(best, x + part * dx, y + part * dy, point - (from + part * along));
}

OnFace nearestOn(const CellCorners& c, bool isTriangle, Vec3 point) {
  OnFace best;
  takeOnEdge(best, point, c[0], c[1] - c[0], 0, 0, 1, 0);
  takeOnEdge(best, point, c[0], c[2] - c[0], 0, 0, 0, 1);
  if (isTriangle) {
    takeOnEdge(best, point, c[1], c[2] - c[1], 1, 0, -1, 1);
  } else {
    takeOnEdge(best, point, c[1], c[3] - c[1], 1, 0, 0, 1);
    takeOnEdge(best, point, c[2], c[3] - c[2], 0, 1, 1, 0);
  }
  // Inside: Gauss and Newton's steps, the first of which is exact in a triangle and in a parallelogram.
  const Vec3 mixed = isTriangle ? Vec3{} : c[0] - c[1] - c[2] + c[3];
  double x = isTriangle ? 1.0 / 3 : 0.5, y = x;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vec3 alongX = c[1] - c[0] + y * mixed, alongY = c[2] - c[0] + x * mixed;
    const Vec3 away = point - (c[0] + x * (c[1] - c[0]) + y * (c[2] - c[0]) + x * y * mixed);
    const double xx = dot(alongX, alongX), xy = dot(alongX, alongY), yy = dot(alongY, alongY);
    const double area = xx * yy - xy * xy;
    if (!(area > 1e-24 * xx * yy)) return best;  // the face has none
    const double byX = dot(away, alongX), byY = dot(away, alongY);
    const double dx = (yy * byX - xy * byY) / area, dy = (xx * byY - xy * byX) / area;
    // Beyond its edges, which were looked at, a bent face is of no use.
    x = std::clamp(x + dx, -1.0, 2.0);
    y = std::clamp(y + dy, -1.0, 2.0);
    if (std::abs(dx) + std::abs(dy) < 1e-14) break;
  }
  const bool isInside = isTriangle ? x >= 0 && y >= 0 && x + y <= 1 : x >= 0 && x <= 1 && y >= 0 && y <= 1;
  if (isInside) take(best, x, y, point - (c[0] + x * (c[1] - c[0]) + y * (c[2] - c[0]) + x * y * mixed));
  return best;
}

bool isSurface(const paging::DatasetDescription& data, int block) {
  return data.blocks[static_cast<std::size_t>(block)].isUnstructured() &&
         paging::isSurfaceInSpace(data, block);
}

bool isTriangle(const paging::CellNodes& nodes) {
  return paging::shapeOf(nodes) == UnstructuredShape::Wedge;
}

Vec3 placeOf(const CellCorners& c, bool isTriangle, Vec3 xi) {
  const Vec3 mixed = isTriangle ? Vec3{} : c[0] - c[1] - c[2] + c[3];
  return c[0] + xi.x * (c[1] - c[0]) + xi.y * (c[2] - c[0]) + xi.x * xi.y * mixed;
}

}  // namespace

bool hasSurfacesInSpace(const paging::DatasetDescription& data) {
  for (int block = 0; block < static_cast<int>(data.blocks.size()); ++block)
    if (isSurface(data, block)) return true;
  return false;
}

bool areSurfacesInSpace(const paging::DatasetDescription& data) {
  for (int block = 0; block < static_cast<int>(data.blocks.size()); ++block)
    if (!isSurface(data, block)) return false;
  return !data.blocks.empty();
}

SurfacePlaces::SurfacePlaces(PagedData& data, tasks::TaskContext& context,
                             std::shared_ptr<const FunctionPlan> functions)
    : m_data(data),
      m_context(context),
      m_functions(std::move(functions)),
      m_atNodes(*m_functions),
      m_cursor(data.cache(), context, data.plan().mode),
      m_points(3 * kMostListedNodes),
      m_values(paging::kCellCorners * static_cast<std::size_t>(m_functions->outputCount())) {}

std::uint64_t SurfacePlaces::bytesFor(const FunctionPlan& functions) {
  return sizeof(SurfacePlaces) + ListedFunctions::bytesFor(functions, paging::kCellCorners) +
         ListedCells::bytesFor() + NearGroups::bytes() + 3 * kMostListedNodes * sizeof(double) +
         paging::kCellCorners * static_cast<std::uint64_t>(functions.outputCount()) * sizeof(double);
}

void SurfacePlaces::turnTo(int block, std::int64_t step) {
  if (step != m_step) m_cursor.setStep(step);
  m_step = step;
  if (block == m_block) return;
  m_cursor.unbind();
  m_cursor.setStep(step);
  m_slots = m_data.bind(m_cursor, block, *m_functions);
  m_cells.emplace(block, m_data, m_cursor);
  m_atNodes.bind(m_cursor, m_slots);
  m_block = block;
}

bool SurfacePlaces::isThere(const Location& where, std::int64_t step) const {
  const std::vector<bool> there = paging::blocksAt(m_data.description(), step);
  return there.empty() || there[static_cast<std::size_t>(where.block)];
}

std::optional<SurfacePlaces::Place> SurfacePlaces::nearest(Vec3 point, double reach, std::int64_t step) {
  if (!isFinite(point)) return std::nullopt;
  const auto& blocks = m_data.description().blocks;
  Place best;
  best.away = reach;
  for (int block = 0; block < static_cast<int>(blocks.size()); ++block) {
    if (!isSurface(m_data.description(), block) || !isThere({block, 0, {}}, step)) continue;
    turnTo(block, step);
    NearGroups groups(m_data, m_context, block);
    int left = kMostGroups;
    groups.visit(point, best.away, step, [&](const CellGroup& group) {
      look(group, point, best);
      return --left > 0 ? best.away : 0.0;
    });
  }
  if (!best.where.valid()) return std::nullopt;
  return best;
}

std::optional<Location> SurfacePlaces::bestOfSteps(Vec3 point, Search& search,
                                                   const std::function<void()>& mayStop) {
  const double diagonal = m_data.bounds().diagonal();
  const std::int64_t steps = m_data.description().steps();
  while (search.next < steps) {
    mayStop();
    const auto found = nearest(point, search.best ? search.away : kOnSurface * diagonal, search.next);
    ++search.next;
    if (!found) continue;
    search.best = found->where;
    search.away = found->away;
    if (found->away <= kRounding * diagonal) search.next = steps;
  }
  return search.best;
}

void SurfacePlaces::look(const CellGroup& group, Vec3 point, Place& best) {
  m_context.throwIfGivenUp();
  m_cells->open(m_cursor, group.cells.first[0], group.cells.size[0], false);
  m_cells->gatherPoints(m_cursor, m_slots.xyz, m_points);
  for (std::size_t n = 0; n < m_cells->cells.size(); ++n) {
    paging::CellNodes nodes{};
    CellCorners corners;
    for (std::size_t c = 0; c < paging::kCellCorners; ++c) {
      const std::size_t at = m_cells->cells[n].nodes[c];
      nodes[c] = static_cast<std::int32_t>(m_cells->nodes[at]);
      corners[c] = {m_points[3 * at], m_points[3 * at + 1], m_points[3 * at + 2]};
    }
    const OnFace found = nearestOn(corners, isTriangle(nodes), point);
    const double away = std::sqrt(found.squared);
    const Location where{m_block, m_cells->numbers[n], {found.x, found.y, 0}};
    const bool isFirst = away == best.away && best.where.valid() && best.where.block == m_block &&
                         where.cell < best.where.cell;
    if (away < best.away || isFirst) best = {where, placeOf(corners, isTriangle(nodes), where.xi), away};
  }
}

SurfacePlaces::Face SurfacePlaces::read(std::int64_t cell) {
  m_cells->openEach(m_cursor, {&cell, 1});
  m_cells->gatherPoints(m_cursor, m_slots.xyz, m_points);
  Face face;
  for (std::size_t c = 0; c < paging::kCellCorners; ++c) {
    const std::size_t at = m_cells->cells.front().nodes[c];
    face.nodes[c] = static_cast<std::int32_t>(m_cells->nodes[at]);
    face.corners[c] = {m_points[3 * at], m_points[3 * at + 1], m_points[3 * at + 2]};
  }
  return face;
}

Vec3 SurfacePlaces::pointAt(const Location& where, std::int64_t step) {
  turnTo(where.block, step);
  const Face face = read(where.cell);
  return placeOf(face.corners, isTriangle(face.nodes), where.xi);
}

void SurfacePlaces::evaluate(const Location& where, std::int64_t step, std::span<double> out) {
  turnTo(where.block, step);
  const Face face = read(where.cell);
  m_atNodes.computeCell(m_cursor, m_slots, where.cell, face.nodes, face.corners, m_values);
  const auto values = static_cast<std::size_t>(m_functions->outputCount());
  const UnstructuredShape shape = paging::shapeOf(face.nodes);
  const ShapeWeights weights = weightsIn(shape, where.xi);
  const paging::OwnCorners own = paging::ownCorners(shape);
  std::fill_n(out.begin(), values, 0.0);
  for (std::size_t n = 0; n < own.count; ++n) {
    // Above the face, where all weights are 0, there may be no number.
    if (weights.weights[n] == 0) continue;
    for (std::size_t v = 0; v < values; ++v)
      out[v] += weights.weights[n] * m_values[own.corners[n] * values + v];
  }
}

std::optional<SurfacePlaces::Place> placeOnSurface(PagedData& data, tasks::TaskContext& context,
                                                   const std::shared_ptr<const FunctionPlan>& functions,
                                                   Vec3 point, std::int64_t step, std::span<double> out) {
  if (!hasSurfacesInSpace(data.description())) return std::nullopt;
  SurfacePlaces places(data, context, functions);
  const auto found = places.nearest(point, kOnSurface * data.bounds().diagonal(), step);
  if (found && !out.empty()) places.evaluate(found->where, step, out);
  return found;
}

}  // namespace farfield::fields
