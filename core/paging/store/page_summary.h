#pragma once
// What is known of a page without reading it: the range of each component. Choosing pages for an
// isosurface, clipping a colour map and finding the block of a seed all start here.
//
// The summary of a page covers the cells that the page owns: its own nodes and the first node layer of
// the next pages. Values that are not finite are left out of the ranges and noted by a flag.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/scalar_type.h"

namespace farfield::paging {

struct ValueRange {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  /// No finite value was seen.
  bool empty() const { return !(min <= max); }
  /// Finite and the right way round, or as it is where no finite value was seen.
  bool isValid() const;
  bool operator==(const ValueRange&) const = default;
};

struct PageSummary {
  std::vector<ValueRange> components;  ///< one per component of the array
  bool hasNonFinite = false;

  PageSummary() = default;
  explicit PageSummary(int componentCount) : components(static_cast<std::size_t>(componentCount)) {}

  /// Takes in whole nodes: elements of `type`, components.size() of them interleaved per node. Any alignment.
  /// May be called for one row after the other, to cover a box inside a larger buffer.
  void add(std::span<const std::byte> nodes, ScalarType type);
  /// Takes in what another summary of as many components covers.
  void merge(const PageSummary& other);
  /// Whether every range lies in that of `all`, a summary of as many components.
  bool isWithin(const PageSummary& all) const;
  bool operator==(const PageSummary&) const = default;
};

}  // namespace farfield::paging
