#pragma once
// Groups of neighbouring cells by how near they are, for who looks for what is nearest to a point: down the location bounds
// (box_search.h), of which no more is read than needed.

#include <functional>
#include <vector>

#include "core/fields/paged/box_search.h"

namespace farfield::fields {

/// Belongs to one task and one block; every call may stop the task.
class NearGroups {
 public:
  NearGroups(PagedData& data, tasks::TaskContext& context, int block);

  /// Visits groups of level 0 by how far their bounds are from `point` at `step`, near ones first, and of several as near the first,
  /// while that is less than `reach`; `visit` says what is left of it. Where more of them wait than bytes() has room for, as from the
  /// middle of a large closed surface, those that are far are left out. Throws what gathering throws.
  void visit(Vec3 point, double reach, std::int64_t step,
             const std::function<double(const CellGroup&)>& visit);

  /// Of visit(), besides a page.
  static std::uint64_t bytes();

 private:
  struct Near {
    double away;
    std::size_t level;
    Index3 at;
    Bounds bounds;
  };
  static constexpr std::size_t kMostWaiting = 1024;
  void read(std::size_t level, const IndexBox& groups, Vec3 point, std::vector<Near>& found);
  const Index3& dimsOf(std::size_t level) const { return m_cursor.layout(static_cast<int>(level)).dims(); }

  paging::Cursor m_cursor;  ///< slots are levels, [0] the finest
  std::size_t m_levels = 0;
  Index3 m_cells;
};

}  // namespace farfield::fields
