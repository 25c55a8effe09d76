#include "core/paging/pool/corner_copy.h"

namespace farfield::paging {
namespace {

/// For one number type and component count; `kComponents` 0: as many as the call says.
template <class T, int kComponents>
struct Copies {
  static void corners(const std::byte* page, std::int64_t first, PageStrides strides, int components,
                      double* out) {
    const int perRow = 2 * (kComponents > 0 ? kComponents : components);
    const T* const from = reinterpret_cast<const T*>(page) + first;
    const T* const rows[] = {from, from + strides.j, from + strides.k, from + strides.j + strides.k};
    for (const T* const row : rows)
      for (int n = 0; n < perRow; ++n) *out++ = static_cast<double>(row[n]);
  }
  static void scattered(const NodeAddress* places, int components, double* out) {
    const int count = kComponents > 0 ? kComponents : components;
    for (int corner = 0; corner < 8; ++corner) {
      const T* const from = reinterpret_cast<const T*>(places[corner].page) + places[corner].first;
      for (int n = 0; n < count; ++n) *out++ = static_cast<double>(from[n]);
    }
  }
};

/// What `choose` makes of the Copies for `type` and `components`.
template <class Choose>
auto withCopies(ScalarType type, int components, Choose&& choose) {
  const auto ofType = [&]<class T>(T) {
    switch (components) {
      case 1:
        return choose(Copies<T, 1>{});
      case 3:
        return choose(Copies<T, 3>{});
      case 5:
        return choose(Copies<T, 5>{});
      default:
        return choose(Copies<T, 0>{});
    }
  };
  switch (type) {
    case ScalarType::F32:
      return ofType(float{});
    case ScalarType::F64:
      return ofType(double{});
    case ScalarType::U8:
      return ofType(std::uint8_t{});
    case ScalarType::U16:
      return ofType(std::uint16_t{});
    case ScalarType::I16:
      return ofType(std::int16_t{});
    case ScalarType::I32:
      break;
  }
  return ofType(std::int32_t{});
}

}  // namespace

CornerCopy cornerCopyFor(ScalarType type, int components) {
  return withCopies(type, components, []<class C>(C) -> CornerCopy { return C::corners; });
}

ScatteredCopy scatteredCopyFor(ScalarType type, int components) {
  return withCopies(type, components, []<class C>(C) -> ScatteredCopy { return C::scattered; });
}

}  // namespace farfield::paging
