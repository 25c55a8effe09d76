#pragma once
// The number types that arrays are stored in. A store keeps the type of its source.

#include <cstdint>
#include <string>

namespace farfield {

enum class ScalarType : std::uint8_t { F32 = 0, F64 = 1, U8 = 2, U16 = 3, I16 = 4, I32 = 5, I8 = 6 };

/// Bytes of one number.
constexpr int sizeOf(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
    case ScalarType::I32:
      return 4;
    case ScalarType::F64:
      return 8;
    case ScalarType::U8:
    case ScalarType::I8:
      return 1;
    case ScalarType::U16:
    case ScalarType::I16:
      return 2;
  }
  return 0;
}

/// "f32", "f64", "u8", "u16", "i16", "i32", "i8".
const char* nameOf(ScalarType type);
/// The inverse of nameOf; throws Invalid.
ScalarType scalarTypeNamed(const std::string& name);

/// Value of element `index` of an array of `type` at `data`, exactly (every type fits a double).
double valueAt(const void* data, ScalarType type, std::int64_t index);
/// Converts `count` elements starting at element `first` to double.
void toDouble(const void* data, ScalarType type, std::int64_t first, std::int64_t count, double* out);

}  // namespace farfield
