#pragma once
// What is known of a page without reading it: the range of each component. Used to choose pages for an
// isosurface, to find colour ranges, and to find the block of a seed.
//
// The summary of a page covers the cells that the page owns: its nodes and the first node layer of the next
// pages. Values that are not finite are not in the ranges; a flag tells that there are some.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/scalar_type.h"

namespace farfield::paging {

struct ValueRange {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  /// True if no finite value was seen.
  bool empty() const { return !(min <= max); }
  /// True if empty, or finite with min <= max.
  bool isValid() const;
  bool operator==(const ValueRange&) const = default;
};

struct PageSummary {
  std::vector<ValueRange> components;  ///< one per component of the array
  bool hasNonFinite = false;

  PageSummary() = default;
  explicit PageSummary(int componentCount) : components(static_cast<std::size_t>(componentCount)) {}

  /// Adds whole nodes: elements of `type`, components.size() of them per node. Any alignment. May be called
  /// row by row to cover a box inside a larger buffer.
  void add(std::span<const std::byte> nodes, ScalarType type);
  /// Adds what another summary of as many components covers.
  void merge(const PageSummary& other);
  /// True if every range lies in the same range of `all`, a summary of as many components.
  bool isWithin(const PageSummary& all) const;
  bool operator==(const PageSummary&) const = default;
};

}  // namespace farfield::paging
