#pragma once
// Structured grids whose file has values at the centres of cells: the nodes of their blocks are these centres and, along each axis on
// which the file has more than one node, the ends of the block. The data set's attribute "samples" says so, which stores keep.

#include <algorithm>

#include "core/paging/pages/description.h"

namespace farfield::paging {

constexpr const char* kSamples = "samples";
constexpr const char* kCellSamples = "cell centres and ends of blocks";

/// Whether blocks are such ones.
inline bool areCellSamples(const DatasetDescription& data) {
  const auto found = data.attributes.find(kSamples);
  return found != data.attributes.end() && found->second == kCellSamples;
}
/// Nodes, and cells, that the file has of such a block of `dims` nodes.
inline std::int64_t nodesOfFile(const Index3& dims) {
  std::int64_t nodes = 1;
  for (const std::int64_t count : dims) nodes *= std::max<std::int64_t>(count - 1, 1);
  return nodes;
}
inline std::int64_t cellsOfFile(const Index3& dims) {
  std::int64_t cells = 1;
  for (const std::int64_t count : dims) cells *= std::max<std::int64_t>(count - 2, 1);
  return cells;
}

}  // namespace farfield::paging
