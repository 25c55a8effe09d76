#include "core/base/scalar_type.h"

#include "core/base/bytes.h"

namespace farfield {
namespace {
constexpr const char* kNames[] = {"f32", "f64", "u8", "u16", "i16", "i32", "i8"};

template <class T>
void convert(const void* data, std::int64_t first, std::int64_t count, double* out) {
  const T* from = static_cast<const T*>(data) + first;
  for (std::int64_t n = 0; n < count; ++n) out[n] = static_cast<double>(from[n]);
}
}  // namespace

const char* nameOf(ScalarType type) {
  return kNames[static_cast<int>(type)];
}

ScalarType scalarTypeNamed(const std::string& name) {
  for (int n = 0; n < 7; ++n)
    if (name == kNames[n]) return static_cast<ScalarType>(n);
  throw Invalid("'" + name + "' is not a number type", "use f32, f64, u8, i8, u16, i16 or i32");
}

double valueAt(const void* data, ScalarType type, std::int64_t index) {
  double value = 0;
  toDouble(data, type, index, 1, &value);
  return value;
}

void toDouble(const void* data, ScalarType type, std::int64_t first, std::int64_t count, double* out) {
  switch (type) {
    case ScalarType::F32:
      return convert<float>(data, first, count, out);
    case ScalarType::F64:
      return convert<double>(data, first, count, out);
    case ScalarType::U8:
      return convert<std::uint8_t>(data, first, count, out);
    case ScalarType::U16:
      return convert<std::uint16_t>(data, first, count, out);
    case ScalarType::I16:
      return convert<std::int16_t>(data, first, count, out);
    case ScalarType::I32:
      return convert<std::int32_t>(data, first, count, out);
    case ScalarType::I8:
      return convert<std::int8_t>(data, first, count, out);
  }
}

}  // namespace farfield
