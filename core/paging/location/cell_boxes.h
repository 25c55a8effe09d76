#pragma once
// The location pyramid of a curvilinear block: bounds of groups of cells, so that the cell that holds a point
// is found without reading all other coordinates. It depends only on the nodes, not on pages, memory or
// threads.
//
// Level 0 has an entry per group of 8x8x8 cells (the last group of an axis may be smaller), level l+1 one per
// 4x4x4 entries of level l, up to the level that has a single entry. An entry has the bounds of all finite
// nodes of the group's cells that are not blank (a cell is blank if any of its nodes has iblank 0), in
// float32: minima rounded down, maxima up. An entry without such a cell is empty: +inf, -inf. A block of one
// plane of nodes (2-D data) has one layer of cells, of four nodes each.

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/scalar_type.h"
#include "core/paging/pages/location_levels.h"
#include "core/tasks/loop_threads.h"

namespace farfield::paging {

/// The largest float32 <= `value`, and the smallest >= `value`.
inline float roundedDown(double value) {
  const auto near = static_cast<float>(value);
  return near > value ? std::nextafter(near, -std::numeric_limits<float>::infinity()) : near;
}
inline float roundedUp(double value) {
  const auto near = static_cast<float>(value);
  return near < value ? std::nextafter(near, std::numeric_limits<float>::infinity()) : near;
}

/// As stored: six float32, xmin ymin zmin xmax ymax zmax.
struct CellBox {
  float min[3] = {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                  std::numeric_limits<float>::infinity()};
  float max[3] = {-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                  -std::numeric_limits<float>::infinity()};

  bool empty() const { return !(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]); }
  bool contains(Vec3 p) const {
    return p.x >= min[0] && p.x <= max[0] && p.y >= min[1] && p.y <= max[1] && p.z >= min[2] && p.z <= max[2];
  }
  void merge(const CellBox& other) {
    for (int a = 0; a < 3; ++a) {
      if (other.min[a] < min[a]) min[a] = other.min[a];
      if (other.max[a] > max[a]) max[a] = other.max[a];
    }
  }
  bool operator==(const CellBox&) const = default;
};
static_assert(sizeof(CellBox) == 24);

/// Entries of the next coarser level, from those of a level of `dims` entries (i fastest).
std::vector<CellBox> nextLevel(std::span<const CellBox> level, const Index3& dims);

/// Makes a box of level-0 entries from windows of nodes, which may come in any order and overlap: each adds
/// to the entries. Not thread-safe, but add() works on several threads.
class CellBoxBuilder {
 public:
  /// For the entries `entries` of a block of `nodeDims` nodes, at least one cell along each axis. Holds 24
  /// bytes per entry.
  CellBoxBuilder(const Index3& nodeDims, const IndexBox& entries);

  /// Adds the cells whose nodes are all in `window`. `xyz`: its nodes, three `type` (F32, F64) each;
  /// `iblank`: one per node, or empty if there is none.
  void add(const IndexBox& window, std::span<const std::byte> xyz, ScalarType type,
           std::span<const std::int16_t> iblank, tasks::LoopThreads& threads);

  /// The nodes to read for these entries.
  IndexBox nodes() const;
  /// The entries, i fastest.
  std::span<const CellBox> boxes() const { return m_boxes; }
  std::vector<CellBox> take() { return std::move(m_boxes); }

 private:
  Index3 m_nodeDims;
  IndexBox m_entries;
  std::vector<CellBox> m_boxes;
};

}  // namespace farfield::paging
