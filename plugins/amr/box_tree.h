#pragma once
// The boxes of one level, found by where they are.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::amr {

/// What both boxes hold; a size ≤ 0 along an axis: nothing.
IndexBox intersection(const IndexBox& a, const IndexBox& b);
bool isEmpty(const IndexBox& box);

/// Immutable.
class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::vector<IndexBox> boxes);

  const std::vector<IndexBox>& boxes() const { return m_boxes; }
  /// Calls `visit` with the number of each box that meets `region`, ascending.
  template <class Visit>
  void forEachIn(const IndexBox& region, Visit visit) const {
    for (const std::uint32_t number : meeting(region, m_boxes.size())) visit(number);
  }
  /// Numbers of boxes that meet `region`, ascending; if there are more than `most`, some `most` of them.
  std::vector<std::uint32_t> meeting(const IndexBox& region, std::size_t most) const;
  /// Whether the boxes, of which no two overlap, hold all of `region`.
  bool holds(const IndexBox& region) const;

 private:
  struct Node {
    IndexBox around;
    std::uint32_t first = 0, count = 0;  ///< in m_order, of a leaf
    std::uint32_t below = 0;             ///< the first of two children; 0: a leaf
  };
  void build(std::uint32_t node, std::uint32_t first, std::uint32_t count);

  std::vector<IndexBox> m_boxes;
  std::vector<std::uint32_t> m_order;
  std::vector<Node> m_nodes;
};

}  // namespace farfield::amr
