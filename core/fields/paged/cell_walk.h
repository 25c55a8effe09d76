#pragma once
// Location without a search: follows a point from cell to cell of a curvilinear block, across the block's
// end, and in cells that are boxes along the axes. Shared by all code that holds blocks, whether their nodes
// are in pages or in plain arrays, so that all give the same answers.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/base/geometry.h"
#include "core/fields/cells/trilinear.h"
#include "core/fields/paged/sampler.h"
#include "core/paging/pages/description.h"

namespace farfield::fields {

/// A walk that has not arrived after so many cells is given up.
constexpr int kMostWalkSteps = 32;
/// A point farther than this from its cell's centre, in cells, is not Nearness::Beyond.
constexpr double kMostBeyond = 1.5;

inline bool closelyBeyond(Vec3 xi) {
  return std::abs(xi.x - 0.5) <= kMostBeyond && std::abs(xi.y - 0.5) <= kMostBeyond &&
         std::abs(xi.z - 0.5) <= kMostBeyond;
}

/// A point farther outside than this after one step of Newton's method, in cells, is taken to be in another
/// cell.
constexpr double kSurelyOutside = 0.25;

inline bool surelyOutside(Vec3 xi) {
  return !(std::abs(xi.x - 0.5) <= 0.5 + kSurelyOutside && std::abs(xi.y - 0.5) <= 0.5 + kSurelyOutside &&
           std::abs(xi.z - 0.5) <= 0.5 + kSurelyOutside);
}

/// The cell next to `at` in the direction of `xi`; `at` itself at the end of the block.
inline Index3 neighbourTowards(Vec3 xi, const Index3& at, const Index3& cells) {
  Index3 to = at;
  for (int a = 0; a < 3; ++a) {
    if (xi[a] < -kCellTolerance) to[a] = std::max<std::int64_t>(at[a] - 1, 0);
    if (xi[a] > 1 + kCellTolerance) to[a] = std::min<std::int64_t>(at[a] + 1, cells[a] - 1);
  }
  return to;
}

/// Sampler::crossFace() for a block of `cells`. `at` is the index of the cell of `location`; `blank(number)`
/// tells whether a cell is blank.
template <class Blank>
bool overFace(Location& location, Index3 at, int face, const Index3& cells, Blank blank) {
  const int axis = face / 2;
  const bool up = face % 2 == 1;
  at[axis] += up ? 1 : -1;
  if (at[axis] < 0 || at[axis] >= cells[axis]) return false;
  const std::int64_t number = linear(at, cells);
  if (blank(number)) return false;
  location.cell = number;
  location.xi[axis] = up ? 0 : 1;
  return true;
}

/// Follows `point` from the cell of `location` towards where Newton's method says it is. `cells` are those of
/// the block. `cellOf(number)` gives a cell's index `at`, its `map`, and whether it is `blank`; its result is
/// used until the next call. `location` changes unless the answer is Far.
template <class CellOf>
Nearness walkTo(Vec3 point, Location& location, const Index3& cells, CellOf cellOf) {
  Vec3 xi = location.xi;
  std::int64_t number = location.cell;
  Location edge = location;  // the last cell on the way that is not blank
  edge.cell = -1;
  bool edgeConverged = false;
  for (int step = 0; step < kMostWalkSteps; ++step) {
    const auto& here = cellOf(number);
    const Index3 at = here.at;
    xi = here.map.approach(point, xi);
    // most cells on the way are left after one step of Newton's method
    bool converged = false;
    Index3 to = at;
    if (surelyOutside(xi)) to = neighbourTowards(xi, at, cells);
    if (to == at) converged = here.map.invert(point, xi);
    if (!here.blank) {
      edge.cell = number;
      edge.xi = xi;
      edgeConverged = converged;
      if (converged && insideCell(xi)) {
        location = edge;
        return Nearness::Inside;
      }
    }
    if (to == at) to = neighbourTowards(xi, at, cells);
    if (!isFinite(xi)) return Nearness::Far;
    if (to == at) {
      // in a blank cell, or past the end of the block
      if (!converged || edge.cell < 0) return Nearness::Far;
      if (!edgeConverged && !cellOf(edge.cell).map.invert(point, edge.xi)) return Nearness::Far;
      if (!closelyBeyond(edge.xi)) return Nearness::Far;
      location = edge;
      return Nearness::Beyond;
    }
    for (int a = 0; a < 3; ++a) xi[a] = std::clamp(xi[a] - static_cast<double>(to[a] - at[a]), 0.0, 1.0);
    number = linear(to, cells);
  }
  return Nearness::Far;
}

/// The ends of cell `cell` of a regular or rectilinear block along `axis`. A block of one plane has one layer
/// of cells around it.
inline std::array<double, 2> cellAlong(const paging::BlockDescription& grid, std::size_t axis,
                                       std::int64_t cell) {
  const double spacing = grid.spacing[static_cast<int>(axis)];
  if (grid.axes && grid.dims[axis] > 1) {
    const std::vector<double>& nodes = (*grid.axes)[axis];
    return {nodes[static_cast<std::size_t>(cell)], nodes[static_cast<std::size_t>(cell) + 1]};
  }
  double first = grid.axes ? (*grid.axes)[axis].front() : grid.origin[static_cast<int>(axis)];
  if (grid.dims[axis] == 1) first -= 0.5 * spacing;
  first += static_cast<double>(cell) * spacing;
  return {first, first + spacing};
}

/// The point in cells from the start of the first cell of a regular or rectilinear block.
inline Vec3 inRegular(const paging::BlockDescription& grid, Vec3 point) {
  Vec3 index;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    if (grid.axes && grid.dims[axis] > 1) {
      // the cell whose first node is the last one not behind the point; outside, the one at the end
      const std::vector<double>& nodes = (*grid.axes)[axis];
      const auto above = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, point[a]);
      const auto cell = above - nodes.begin() - 1;
      index[a] = static_cast<double>(cell) + (point[a] - above[-1]) / (*above - above[-1]);
    } else {
      const double origin = grid.axes ? (*grid.axes)[axis].front() : grid.origin[a];
      index[a] = (point[a] - origin) / grid.spacing[a] + (grid.dims[axis] == 1 ? 0.5 : 0);
    }
  }
  return index;
}

/// The map of cell `at` of such a block.
inline TrilinearVector regularCell(const paging::BlockDescription& grid, const Index3& at) {
  TrilinearVector map;
  Vec3 size = grid.spacing;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const auto [first, last] = cellAlong(grid, axis, at[axis]);
    map.one[a] = first;
    if (grid.axes) size[a] = last - first;
  }
  map.x.x = size.x;
  map.y.y = size.y;
  map.z.z = size.z;
  return map;
}

/// Finds the cell of block `number` that holds the point at `index` (see inRegular). A point on a face
/// belongs to both cells; the one of lower number is taken first. `blank(number)` tells whether a cell is
/// blank. `location` changes only if one is found.
template <class Blank>
bool insideRegular(Vec3 index, int number, Location& location, const Index3& cells, Blank blank) {
  Index3 low;
  for (int a = 0; a < 3; ++a) {
    if (!(index[a] >= -kCellTolerance && index[a] <= static_cast<double>(cells[a]) + kCellTolerance))
      return false;
    low[a] = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(index[a] - kCellTolerance)) - 1, 0,
                                      cells[a] - 1);
  }
  for (int corner = 0; corner < 8; ++corner) {
    Index3 cell = low;
    Vec3 xi;
    bool holds = true;
    for (int a = 0; a < 3; ++a) {
      cell[a] += corner >> a & 1;
      xi[a] = index[a] - static_cast<double>(cell[a]);
      holds = holds && cell[a] < cells[a] && xi[a] >= -kCellTolerance && xi[a] <= 1 + kCellTolerance;
    }
    if (!holds || blank(linear(cell, cells))) continue;
    location = {number, linear(cell, cells), xi};
    return true;
  }
  return false;
}

/// walkTo() for a regular or rectilinear block, with the point at `index` (see inRegular) in no cell.
/// `blank(number)` tells whether a cell is blank.
template <class Blank>
Nearness besideRegular(Vec3 index, Location& location, const Index3& cells, Blank blank) {
  Index3 cell;
  for (int a = 0; a < 3; ++a) {
    const double last = static_cast<double>(cells[a] - 1);
    cell[a] = static_cast<std::int64_t>(std::clamp(std::floor(index[a]), 0.0, last));
  }
  if (blank(linear(cell, cells))) cell = unlinear(location.cell, cells);
  const Vec3 xi = index - toVec3(cell);
  if (!closelyBeyond(xi)) return Nearness::Far;
  location.cell = linear(cell, cells);
  location.xi = xi;
  return Nearness::Beyond;
}

}  // namespace farfield::fields
