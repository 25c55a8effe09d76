#pragma once
// An optional part of a BoxReader: reads one component alone, where the file stores components separately.
// Conversion to one array per variable then reads each number once, instead of all components once per
// variable.

#include <cstdint>
#include <span>

#include "core/base/geometry.h"

namespace farfield::paging {

class ComponentReader {
 public:
  /// As BoxReader::read, for component `component` of `array` only: `out` has box nodes x one number.
  virtual void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                             std::span<std::byte> out) const = 0;

 protected:
  ~ComponentReader() = default;
};

}  // namespace farfield::paging
