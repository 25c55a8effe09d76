#include "plugins/amr/box_tree.h"

#include <algorithm>

namespace farfield::amr {
namespace {

constexpr std::uint32_t kLeafBoxes = 4;

IndexBox around(const IndexBox& a, const IndexBox& b) {
  IndexBox box;
  for (std::size_t n = 0; n < 3; ++n) {
    box.first[n] = std::min(a.first[n], b.first[n]);
    box.size[n] = std::max(a.first[n] + a.size[n], b.first[n] + b.size[n]) - box.first[n];
  }
  return box;
}

}  // namespace

IndexBox intersection(const IndexBox& a, const IndexBox& b) {
  IndexBox box;
  for (std::size_t n = 0; n < 3; ++n) {
    box.first[n] = std::max(a.first[n], b.first[n]);
    box.size[n] = std::min(a.first[n] + a.size[n], b.first[n] + b.size[n]) - box.first[n];
  }
  return box;
}

bool isEmpty(const IndexBox& box) {
  return box.size[0] <= 0 || box.size[1] <= 0 || box.size[2] <= 0;
}

BoxTree::BoxTree(std::vector<IndexBox> boxes) : m_boxes(std::move(boxes)) {
  if (m_boxes.empty()) return;
  m_order.resize(m_boxes.size());
  for (std::size_t n = 0; n < m_order.size(); ++n) m_order[n] = static_cast<std::uint32_t>(n);
  m_nodes.emplace_back();
  build(0, 0, static_cast<std::uint32_t>(m_order.size()));
}

/// Halves by number, so that the depth is that of a balanced tree.
void BoxTree::build(std::uint32_t node, std::uint32_t first, std::uint32_t count) {
  IndexBox all = m_boxes[m_order[first]];
  for (std::uint32_t n = 1; n < count; ++n) all = around(all, m_boxes[m_order[first + n]]);
  m_nodes[node].around = all;
  m_nodes[node].first = first;
  m_nodes[node].count = count;
  if (count <= kLeafBoxes) return;
  const auto axis =
      static_cast<std::size_t>(std::max_element(all.size.begin(), all.size.end()) - all.size.begin());
  const auto begin = m_order.begin() + first;
  const std::uint32_t half = count / 2;
  std::nth_element(begin, begin + half, begin + count, [&](std::uint32_t a, std::uint32_t b) {
    // twice the middle
    const std::int64_t x = 2 * m_boxes[a].first[axis] + m_boxes[a].size[axis],
                       y = 2 * m_boxes[b].first[axis] + m_boxes[b].size[axis];
    return x != y ? x < y : a < b;
  });
  const auto below = static_cast<std::uint32_t>(m_nodes.size());
  m_nodes[node].below = below;
  m_nodes.resize(m_nodes.size() + 2);
  build(below, first, half);
  build(below + 1, first + half, count - half);
}

std::vector<std::uint32_t> BoxTree::meeting(const IndexBox& region, std::size_t most) const {
  std::vector<std::uint32_t> found, open;
  if (m_nodes.empty() || isEmpty(region)) return found;
  open.push_back(0);
  while (!open.empty() && found.size() < most) {
    const Node& node = m_nodes[open.back()];
    open.pop_back();
    if (isEmpty(intersection(node.around, region))) continue;
    if (node.below > 0) {
      open.push_back(node.below + 1);
      open.push_back(node.below);
      continue;
    }
    for (std::uint32_t n = node.first; n < node.first + node.count && found.size() < most; ++n)
      if (!isEmpty(intersection(m_boxes[m_order[n]], region))) found.push_back(m_order[n]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool BoxTree::holds(const IndexBox& region) const {
  if (isEmpty(region)) return true;
  std::int64_t left = product(region.size);
  forEachIn(region,
            [&](std::uint32_t number) { left -= product(intersection(m_boxes[number], region).size); });
  return left <= 0;
}

}  // namespace farfield::amr
