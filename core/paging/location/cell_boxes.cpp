#include "core/paging/location/cell_boxes.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace farfield::paging {
namespace {

constexpr std::int64_t kNodesPerGroup = 9 * 9 * 9;
constexpr std::int64_t kGroupsPerPiece = 16;

/// Some nodes of a group, inside the window they are in.
template <class T>
struct GroupView {
  const T* xyz;
  const std::int16_t* iblank;  // null: no node is blank
  Index3 strides;              // in nodes
  Index3 nodes;                // at most 9 per axis, at least 2, or 1 along the axis of a plane

  std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i * strides[0] + j * strides[1] + k * strides[2];
  }
};

template <class T>
struct Extremes {
  T min[3] = {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::infinity(),
              std::numeric_limits<T>::infinity()};
  T max[3] = {-std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
              -std::numeric_limits<T>::infinity()};
  void add(const T* p) {
    // the sum of differences is finite (zero) only if all three are
    if (!((p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2]) == 0)) return;
    for (int a = 0; a < 3; ++a) {
      min[a] = p[a] < min[a] ? p[a] : min[a];
      max[a] = p[a] > max[a] ? p[a] : max[a];
    }
  }
  CellBox rounded() const {
    CellBox box;
    for (int a = 0; a < 3; ++a) {
      box.min[a] = roundedDown(static_cast<double>(min[a]));
      box.max[a] = roundedUp(static_cast<double>(max[a]));
    }
    return box;
  }
};

/// Which nodes belong to a cell that is not blank, in the order of the group's nodes.
template <class T>
std::array<bool, kNodesPerGroup> usedNodes(const GroupView<T>& group) {
  std::array<bool, kNodesPerGroup> used{};
  const Index3& n = group.nodes;
  const Index3 cells = cellDims(n);
  // of a plane some corners of a cell are the same node
  const auto cornerOf = [&n](Index3 cell, int corner) {
    for (int a = 0; a < 3; ++a)
      if (n[a] > 1) cell[a] += corner >> a & 1;
    return cell;
  };
  for (std::int64_t k = 0; k < cells[2]; ++k)
    for (std::int64_t j = 0; j < cells[1]; ++j)
      for (std::int64_t i = 0; i < cells[0]; ++i) {
        bool blank = false;
        for (int corner = 0; corner < 8; ++corner) {
          const Index3 node = cornerOf({i, j, k}, corner);
          blank |= group.iblank[group.at(node[0], node[1], node[2])] == 0;
        }
        if (blank) continue;
        for (int corner = 0; corner < 8; ++corner)
          used[static_cast<std::size_t>(linear(cornerOf({i, j, k}, corner), n))] = true;
      }
  return used;
}

template <class T>
bool anyBlank(const GroupView<T>& group) {
  if (!group.iblank) return false;
  bool any = false;
  for (std::int64_t k = 0; k < group.nodes[2]; ++k)
    for (std::int64_t j = 0; j < group.nodes[1]; ++j) {
      const std::int16_t* row = group.iblank + group.at(0, j, k);
      for (std::int64_t i = 0; i < group.nodes[0]; ++i) any |= row[i] == 0;
    }
  return any;
}

/// Extremes of all nodes, kept per column of the rows and combined at the end; false if some are not finite.
template <class T, std::int64_t kNodes>
bool addRows(const GroupView<T>& group, Extremes<T>& extremes) {
  constexpr std::size_t kColumns = 3 * kNodes;
  T low[kColumns], high[kColumns], poison[kColumns];
  for (std::size_t n = 0; n < kColumns; ++n) {
    low[n] = std::numeric_limits<T>::max();
    high[n] = std::numeric_limits<T>::lowest();
    poison[n] = 0;
  }
  for (std::int64_t k = 0; k < group.nodes[2]; ++k)
    for (std::int64_t j = 0; j < group.nodes[1]; ++j) {
      const T* row = group.xyz + 3 * group.at(0, j, k);
      for (std::size_t n = 0; n < kColumns; ++n) {
        low[n] = row[n] < low[n] ? row[n] : low[n];
        high[n] = row[n] > high[n] ? row[n] : high[n];
        poison[n] += row[n] - row[n];
      }
    }
  T sum = 0;
  for (std::size_t n = 0; n < kColumns; ++n) sum += poison[n];
  if (!(sum == 0)) return false;
  for (std::size_t n = 0; n < kColumns; n += 3) {
    extremes.add(low + n);
    extremes.add(high + n);
  }
  return true;
}

template <class T>
CellBox boxOfGroup(const GroupView<T>& group) {
  Extremes<T> extremes;
  const bool some = anyBlank(group);
  // nearly all groups are whole and finite
  if (!some && group.nodes[0] == kCellsPerBoxAxis + 1 && addRows<T, kCellsPerBoxAxis + 1>(group, extremes))
    return extremes.rounded();
  const auto used = some ? usedNodes(group) : std::array<bool, kNodesPerGroup>{};
  std::size_t node = 0;
  for (std::int64_t k = 0; k < group.nodes[2]; ++k)
    for (std::int64_t j = 0; j < group.nodes[1]; ++j)
      for (std::int64_t i = 0; i < group.nodes[0]; ++i, ++node)
        if (!some || used[node]) extremes.add(group.xyz + 3 * group.at(i, j, k));
  return extremes.rounded();
}

/// `flat`: the axis along which the block is one plane of nodes, or -1.
template <class T>
void addWindow(const IndexBox& window, int flat, const T* xyz, const std::int16_t* iblank,
               const IndexBox& entries, std::vector<CellBox>& boxes, tasks::LoopThreads& threads) {
  // The wanted entries that have a cell in the window.
  IndexBox touched;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t cells = a == flat ? 1 : window.size[a] - 1;
    if (cells < 1) return;
    const std::int64_t first = std::max(entries.first[a], window.first[a] / kCellsPerBoxAxis);
    const std::int64_t last =
        std::min(entries.first[a] + entries.size[a] - 1, (window.first[a] + cells - 1) / kCellsPerBoxAxis);
    if (first > last) return;
    touched.first[a] = first;
    touched.size[a] = last - first + 1;
  }
  threads.forPieces(product(touched.size), kGroupsPerPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const Index3 in = unlinear(n, touched.size);
      GroupView<T> group{xyz, iblank, {1, window.size[0], window.size[0] * window.size[1]}, {}};
      Index3 from, entry;
      for (int a = 0; a < 3; ++a) {
        const std::int64_t number = touched.first[a] + in[a];
        entry[a] = number - entries.first[a];
        const std::int64_t low = std::max(number * kCellsPerBoxAxis, window.first[a]);
        const std::int64_t high =
            std::min((number + 1) * kCellsPerBoxAxis, window.first[a] + window.size[a] - 1);
        from[a] = low - window.first[a];
        group.nodes[a] = high - low + 1;
      }
      const std::int64_t offset = linear(from, window.size);
      group.xyz += 3 * offset;
      if (group.iblank) group.iblank += offset;
      boxes[static_cast<std::size_t>(linear(entry, entries.size))].merge(boxOfGroup(group));
    }
  });
}

}  // namespace

std::vector<CellBox> nextLevel(std::span<const CellBox> level, const Index3& dims) {
  Index3 coarse;
  for (int a = 0; a < 3; ++a) coarse[a] = (dims[a] + kBoxesPerBoxAxis - 1) / kBoxesPerBoxAxis;
  std::vector<CellBox> boxes(static_cast<std::size_t>(product(coarse)));
  for (std::int64_t n = 0; n < product(dims); ++n) {
    const Index3 at = unlinear(n, dims);
    const Index3 to = {at[0] / kBoxesPerBoxAxis, at[1] / kBoxesPerBoxAxis, at[2] / kBoxesPerBoxAxis};
    boxes[static_cast<std::size_t>(linear(to, coarse))].merge(level[static_cast<std::size_t>(n)]);
  }
  return boxes;
}

CellBoxBuilder::CellBoxBuilder(const Index3& nodeDims, const IndexBox& entries)
    : m_nodeDims(nodeDims), m_entries(entries), m_boxes(static_cast<std::size_t>(product(entries.size))) {}

IndexBox CellBoxBuilder::nodes() const {
  IndexBox box;
  for (int a = 0; a < 3; ++a) {
    box.first[a] = m_entries.first[a] * kCellsPerBoxAxis;
    const std::int64_t end = (m_entries.first[a] + m_entries.size[a]) * kCellsPerBoxAxis;
    box.size[a] = std::min(end + 1, m_nodeDims[a]) - box.first[a];
  }
  return box;
}

void CellBoxBuilder::add(const IndexBox& window, std::span<const std::byte> xyz, ScalarType type,
                         std::span<const std::int16_t> iblank, tasks::LoopThreads& threads) {
  assert(type == ScalarType::F32 || type == ScalarType::F64);
  assert(xyz.size() == static_cast<std::size_t>(product(window.size) * 3 * sizeOf(type)));
  assert(iblank.empty() || iblank.size() == static_cast<std::size_t>(product(window.size)));
  const std::int16_t* blank = iblank.empty() ? nullptr : iblank.data();
  if (type == ScalarType::F32)
    addWindow(window, flatAxis(m_nodeDims), reinterpret_cast<const float*>(xyz.data()), blank, m_entries,
              m_boxes, threads);
  else
    addWindow(window, flatAxis(m_nodeDims), reinterpret_cast<const double*>(xyz.data()), blank, m_entries,
              m_boxes, threads);
}

}  // namespace farfield::paging
