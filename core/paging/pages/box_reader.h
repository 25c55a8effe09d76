#pragma once
// Data that can be read by boxes of nodes: a PLOT3D file, an array in memory, a formula. This is all that a
// simple format implements; BoxSource makes a page source of it, and conversion streams from it.

#include <cstdint>
#include <span>

#include "core/base/geometry.h"
#include "core/paging/pages/description.h"

namespace farfield::paging {

class BoxReader {
 public:
  virtual ~BoxReader() = default;
  /// Its layouts give the dims; the pages in them are a suggestion.
  virtual const DatasetDescription& description() const = 0;
  /// Reads the nodes of `box` of array number `array` (into description().arrays) at `step` (0 for static
  /// arrays) into `out`, which has exactly box nodes x nodeBytes: native byte order, components fastest, then
  /// i, j, k. Thread-safe. Waits. Throws Io, Corrupt.
  virtual void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                    std::span<std::byte> out) const = 0;
  /// Widely spaced nodes cost no more than neighbours: they are computed, or in memory.
  virtual bool isComputed() const { return false; }
  /// Throws Corrupt, naming the object, if anything that was read has changed since it was opened.
  virtual void checkUnchanged() const {}
};

}  // namespace farfield::paging
