#pragma once
// What stored numbers stand for by CF conventions, and numbers in files as values.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "plugins/arrays/number_type.h"

namespace farfield::arrays {

/// Stored · scale + offset. Fill values and numbers out of range become NaN.
struct Unpacking {
  ScalarType type = ScalarType::F64;  ///< f32 or f64
  double scale = 1, offset = 0;
  std::vector<double> fills;                                ///< stored numbers that mean no value
  double least = -std::numeric_limits<double>::infinity();  ///< of stored numbers
  double greatest = std::numeric_limits<double>::infinity();
  /// Fill values that are no numbers are alike.
  bool operator==(const Unpacking& other) const;
};

/// How numbers lie in a file, and what they stand for.
struct StoredAs {
  NumberType type = NumberType::U8;
  bool bigEndian = false;
  const Unpacking* unpacking = nullptr;  ///< null: the numbers are the values
};

/// Values of `count` numbers, `fromStride` bytes apart, to `to`, `toStride` bytes apart; strides may be negative.
void toValues(const StoredAs& how, const std::byte* from, std::ptrdiff_t fromStride, std::int64_t count,
              std::byte* to, std::ptrdiff_t toStride);

}  // namespace farfield::arrays
