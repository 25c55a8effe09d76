#include "core/session/kinds/grid_surface/outer_faces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/fields/functions/node_coordinates.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::session {
namespace {

/// How far behind a face, in its box's cells, another box is looked for.
constexpr double kBehindCells = 1e-6;
/// Corners of cells are asked this far inside of them, of their size: what only touches a cell is not behind it.
constexpr double kInside = 0.01;

struct Box {
  int block = 0;
  Bounds bounds;
};

bool meet(const Bounds& a, const Bounds& b) {
  for (int axis = 0; axis < 3; ++axis)
    if (a.min[axis] > b.max[axis] || a.max[axis] < b.min[axis]) return false;
  return true;
}

/// Boxes by place, for data of thousands: halves of halves, each with the bounds of its boxes.
class Boxes {
 public:
  explicit Boxes(std::vector<Box> boxes) : m_boxes(std::move(boxes)) {
    if (!m_boxes.empty()) divide(0, m_boxes.size());
  }
  template <class Visit>
  void forEachIn(const Bounds& place, const Visit& visit) const {
    if (!m_boxes.empty()) walk(0, 0, m_boxes.size(), place, visit);
  }

 private:
  static constexpr std::size_t kFew = 8;
  struct Part {
    Bounds bounds;
    std::size_t upper = 0;  ///< its second half; 0: it is not divided
  };

  void divide(std::size_t first, std::size_t end) {
    const std::size_t number = m_parts.size();
    m_parts.emplace_back();
    Bounds bounds;
    for (std::size_t n = first; n < end; ++n) bounds.add(m_boxes[n].bounds);
    m_parts[number].bounds = bounds;
    if (end - first <= kFew) return;
    int axis = 0;
    const Vec3 size = bounds.max - bounds.min;
    for (int a = 1; a < 3; ++a)
      if (size[a] > size[axis]) axis = a;
    const std::size_t middle = first + (end - first) / 2;
    const auto at = [this](std::size_t n) { return m_boxes.begin() + static_cast<std::ptrdiff_t>(n); };
    std::nth_element(at(first), at(middle), at(end), [axis](const Box& a, const Box& b) {
      return a.bounds.center()[axis] < b.bounds.center()[axis];
    });
    divide(first, middle);
    m_parts[number].upper = m_parts.size();
    divide(middle, end);
  }

  template <class Visit>
  void walk(std::size_t number, std::size_t first, std::size_t end, const Bounds& place,
            const Visit& visit) const {
    const Part& part = m_parts[number];
    if (!meet(part.bounds, place)) return;
    if (part.upper == 0) {
      for (std::size_t n = first; n < end; ++n)
        if (meet(m_boxes[n].bounds, place)) visit(m_boxes[n]);
      return;
    }
    const std::size_t middle = first + (end - first) / 2;
    walk(number + 1, first, middle, place, visit);
    walk(part.upper, middle, end, place, visit);
  }

  std::vector<Box> m_boxes;
  std::vector<Part> m_parts;
};

/// A face of a box: what of it is on the outside.
class Face {
 public:
  Face(const extract::OrientedSurface& sheet, const paging::DatasetDescription& description)
      : m_sheet(sheet),
        m_description(description),
        m_grid(description.blocks[static_cast<std::size_t>(sheet.surface.block())]),
        m_nodes(sheet.surface.nodes()),
        m_axis(sheet.surface.fixedAxis()),
        m_u(sheet.surface.u()),
        m_v(sheet.surface.v()) {
    Index3 end = m_nodes.first;
    for (std::size_t a = 0; a < 3; ++a) end[a] += m_nodes.size[a] - 1;
    m_place.add(fields::regularNode(m_grid, m_nodes.first));
    m_place.add(fields::regularNode(m_grid, end));
    const double behind = kBehindCells * std::abs(m_grid.spacing[m_axis]) * (sheet.towardsLower ? -1 : 1);
    m_place.min[m_axis] += behind;
    m_place.max[m_axis] += behind;
  }

  /// Boxes that are there when another box is go on behind it.
  void look(const Boxes& boxes, const std::vector<std::array<std::int64_t, 2>>& steps) {
    const auto own = static_cast<std::size_t>(m_sheet.surface.block());
    boxes.forEachIn(m_place, [&](const Box& box) {
      const auto other = static_cast<std::size_t>(box.block);
      if (other != own && (steps.empty() || steps[other] == steps[own])) m_behind.push_back(box.bounds);
    });
  }

  void addOuter(std::vector<extract::OrientedSurface>& sheets) const {
    if (m_behind.empty()) return sheets.push_back(m_sheet);
    const bool inOne = std::any_of(m_behind.begin(), m_behind.end(), [this](const Bounds& box) {
      return holds(box, m_place.min) && holds(box, m_place.max);
    });
    if (!inOne) addParts(sheets);
  }

 private:
  bool holds(const Bounds& box, Vec3 place) const {
    return place[m_u] >= box.min[m_u] && place[m_u] <= box.max[m_u] && place[m_v] >= box.min[m_v] &&
           place[m_v] <= box.max[m_v];
  }

  bool isOuter(const Index3& cell) const {
    Index3 end = cell;
    ++end[static_cast<std::size_t>(m_u)], ++end[static_cast<std::size_t>(m_v)];
    const Vec3 low = fields::regularNode(m_grid, cell), high = fields::regularNode(m_grid, end);
    for (const double s : {kInside, 1 - kInside})
      for (const double t : {kInside, 1 - kInside}) {
        Vec3 at = low;
        at[m_u] += s * (high[m_u] - low[m_u]);
        at[m_v] += t * (high[m_v] - low[m_v]);
        if (std::none_of(m_behind.begin(), m_behind.end(), [&](const Bounds& box) { return holds(box, at); }))
          return true;
      }
    return false;
  }

  /// Rectangles of its outer cells that do not overlap: as long as possible in u, then in v.
  void addParts(std::vector<extract::OrientedSurface>& sheets) const {
    const auto u = static_cast<std::size_t>(m_u), v = static_cast<std::size_t>(m_v);
    const std::int64_t cellsU = m_nodes.size[u] - 1, cellsV = m_nodes.size[v] - 1;
    std::vector<std::uint8_t> left(static_cast<std::size_t>(cellsU * cellsV));
    const auto at = [&](std::int64_t cu, std::int64_t cv) -> std::uint8_t& {
      return left[static_cast<std::size_t>(cv * cellsU + cu)];
    };
    for (std::int64_t cv = 0; cv < cellsV; ++cv)
      for (std::int64_t cu = 0; cu < cellsU; ++cu) {
        Index3 cell = m_nodes.first;
        cell[u] += cu, cell[v] += cv;
        at(cu, cv) = isOuter(cell) ? 1 : 0;
      }
    for (std::int64_t cv = 0; cv < cellsV; ++cv)
      for (std::int64_t cu = 0; cu < cellsU; ++cu) {
        if (!at(cu, cv)) continue;
        std::int64_t endU = cu + 1, endV = cv + 1;
        while (endU < cellsU && at(endU, cv)) ++endU;
        const auto isWhole = [&](std::int64_t row) {
          return std::all_of(&at(cu, row), &at(cu, row) + (endU - cu), [](std::uint8_t its) { return its; });
        };
        while (endV < cellsV && isWhole(endV)) ++endV;
        for (std::int64_t row = cv; row < endV; ++row) std::fill_n(&at(cu, row), endU - cu, std::uint8_t{0});
        IndexBox nodes = m_nodes;
        nodes.first[u] += cu, nodes.size[u] = endU - cu + 1;
        nodes.first[v] += cv, nodes.size[v] = endV - cv + 1;
        sheets.push_back(
            {extract::GridSurface(m_description, m_sheet.surface.block(), nodes), m_sheet.towardsLower});
      }
  }

  const extract::OrientedSurface& m_sheet;
  const paging::DatasetDescription& m_description;
  const paging::BlockDescription& m_grid;
  IndexBox m_nodes;
  int m_axis, m_u, m_v;
  Bounds m_place;  ///< a little behind the face
  std::vector<Bounds> m_behind;
};

}  // namespace

std::vector<extract::OrientedSurface> withoutInnerFaces(std::vector<extract::OrientedSurface> sheets,
                                                        const paging::DatasetDescription& description) {
  if (!paging::isAmr(description)) return sheets;
  std::vector<Box> boxes;
  for (const extract::OrientedSurface& sheet : sheets) {
    const int block = sheet.surface.block();
    const Bounds& bounds = description.blocks[static_cast<std::size_t>(block)].bounds;
    // while memory is only planned, bounds are unknown
    if (bounds.empty()) return sheets;
    if (boxes.empty() || boxes.back().block != block) boxes.push_back({block, bounds});
  }
  const Boxes byPlace(std::move(boxes));
  const auto steps = paging::stepsOfBlocks(description);
  std::vector<extract::OrientedSurface> outer;
  for (const extract::OrientedSurface& sheet : sheets) {
    const paging::BlockDescription& grid =
        description.blocks[static_cast<std::size_t>(sheet.surface.block())];
    // a box of one plane of nodes is no border of anything
    if (grid.dims[static_cast<std::size_t>(sheet.surface.fixedAxis())] < 2) {
      outer.push_back(sheet);
      continue;
    }
    Face face(sheet, description);
    face.look(byPlace, steps);
    face.addOuter(outer);
  }
  return outer;
}

}  // namespace farfield::session
