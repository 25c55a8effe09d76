#pragma once
// Boxes of cells on levels: where they lie, what of them finer boxes cover, and on which planes finer boxes end in them.
// Cells are numbered per level; cell c of a level is cells c·ratio … of the next finer one along an axis.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/amr/box_tree.h"

namespace farfield::amr {

/// The most boxes of a data set; more than any that a person looks at, and few enough for a list.
constexpr std::size_t kMostBoxes = 1 << 20;
/// The farthest cell from cell 0 along an axis.
constexpr std::int64_t kFarthest = std::int64_t{1} << 31;
constexpr std::int64_t kMostRatio = 1 << 10;

struct Level {
  std::vector<IndexBox> boxes;  ///< of cells; no two overlap
  Index3 ratio{2, 2, 2};        ///< to the next finer level
};

/// Rounds towards -infinity; `by` > 0.
constexpr std::int64_t floorDiv(std::int64_t number, std::int64_t by) {
  return number >= 0 ? number / by : -((-number + by - 1) / by);
}
IndexBox refined(const IndexBox& box, const Index3& ratio);
/// The coarser cells that have a part in `box`.
IndexBox coarsened(const IndexBox& box, const Index3& ratio);

/// Immutable.
class Hierarchy {
 public:
  /// `spacing` is that of a cell of the coarsest level, `origin` the lower corner of cell 0 of every level. Throws Corrupt,
  /// Unsupported if boxes are no boxes of cells, overlap on a level, or are too many.
  Hierarchy(std::vector<Level> levels, Vec3 origin, Vec3 spacing);

  int levels() const { return static_cast<int>(m_levels.size()); }
  const BoxTree& boxes(int level) const { return m_levels[static_cast<std::size_t>(level)].boxes; }
  const Index3& ratio(int level) const { return m_levels[static_cast<std::size_t>(level)].ratio; }
  Vec3 spacing(int level) const;
  Vec3 origin() const { return m_origin; }
  /// Where `half` half cells from the origin are along an axis: the same number for a place on all levels, if ratios are
  /// powers of 2.
  double place(int level, int axis, std::int64_t half) const;
  /// Of all boxes, coarsest level first.
  std::size_t boxCount() const { return m_count; }

  /// Whether cells of `cells` may be covered by finer ones.
  bool mayCover(int level, const IndexBox& cells) const;
  /// For each of `cells`, i fastest: whether finer cells cover all of it.
  void covered(int level, const IndexBox& cells, std::vector<std::uint8_t>& out) const;

  struct Ends {
    /// Faces of cells within the box on which finer boxes end, along each axis: cell numbers above them, ascending, none twice.
    std::array<std::vector<std::int64_t>, 3> planes;
    bool withinCells = false;  ///< some end within cells, which are not covered, then
  };
  Ends endsIn(int level, const IndexBox& box) const;

 private:
  struct Placed {
    BoxTree boxes;
    Index3 ratio{1, 1, 1};
    Index3 refinement{1, 1, 1};  ///< cells in one of the coarsest level
  };
  std::vector<Placed> m_levels;
  Vec3 m_origin, m_spacing;
  std::size_t m_count = 0;
};

}  // namespace farfield::amr
