#include "core/paging/pool/corner_copy.h"

namespace farfield::paging {
namespace {

/// `kComponents` 0: as many as `components` says.
template <class T, int kComponents>
void copyCorners(const std::byte* page, std::int64_t first, PageStrides strides, int components,
                 double* out) {
  const int perRow = 2 * (kComponents > 0 ? kComponents : components);
  const T* const from = reinterpret_cast<const T*>(page) + first;
  const T* const rows[] = {from, from + strides.j, from + strides.k, from + strides.j + strides.k};
  for (const T* const row : rows)
    for (int n = 0; n < perRow; ++n) *out++ = static_cast<double>(row[n]);
}

template <class T>
CornerCopy copyOf(int components) {
  switch (components) {
    case 1:
      return copyCorners<T, 1>;
    case 3:
      return copyCorners<T, 3>;
    case 5:
      return copyCorners<T, 5>;
    default:
      return copyCorners<T, 0>;
  }
}

}  // namespace

CornerCopy cornerCopyFor(ScalarType type, int components) {
  switch (type) {
    case ScalarType::F32:
      return copyOf<float>(components);
    case ScalarType::F64:
      return copyOf<double>(components);
    case ScalarType::U8:
      return copyOf<std::uint8_t>(components);
    case ScalarType::U16:
      return copyOf<std::uint16_t>(components);
    case ScalarType::I16:
      return copyOf<std::int16_t>(components);
    case ScalarType::I32:
      return copyOf<std::int32_t>(components);
  }
  return nullptr;
}

}  // namespace farfield::paging
