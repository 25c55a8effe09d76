#pragma once
// Numbers whose type is known when the program runs, for code that is compiled for each type. Private to core/fields.

#include <cstddef>
#include <cstdint>

#include "core/base/scalar_type.h"

namespace farfield::fields {

/// Calls `visit` with the array at `data` as a pointer to its numbers.
template <class Visit>
void withNumbers(const void* data, ScalarType type, Visit visit) {
  switch (type) {
    case ScalarType::F32:
      return visit(static_cast<const float*>(data));
    case ScalarType::F64:
      return visit(static_cast<const double*>(data));
    case ScalarType::U8:
      return visit(static_cast<const std::uint8_t*>(data));
    case ScalarType::I8:
      return visit(static_cast<const std::int8_t*>(data));
    case ScalarType::U16:
      return visit(static_cast<const std::uint16_t*>(data));
    case ScalarType::I16:
      return visit(static_cast<const std::int16_t*>(data));
    case ScalarType::I32:
      return visit(static_cast<const std::int32_t*>(data));
  }
}

}  // namespace farfield::fields
