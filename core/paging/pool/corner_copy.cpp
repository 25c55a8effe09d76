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
  template <unsigned kAcross>
  static void crossing(const CellPiece* pieces, int components, double* out) {
    const int count = kComponents > 0 ? kComponents : components;
    for (unsigned corner = 0; corner < 8; ++corner) {
      const CellPiece& piece = pieces[corner & kAcross];
      const T* const from = reinterpret_cast<const T*>(piece.page) + piece.first + (corner & 1) * count +
                            (corner >> 1 & 1) * piece.strides.j + (corner >> 2) * piece.strides.k;
      for (int n = 0; n < count; ++n) *out++ = static_cast<double>(from[n]);
    }
  }
  static constexpr CrossingCopies kCrossings{crossing<0>, crossing<1>, crossing<2>, crossing<3>,
                                             crossing<4>, crossing<5>, crossing<6>, crossing<7>};
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

const CrossingCopies& crossingCopiesFor(ScalarType type, int components) {
  return *withCopies(type, components, []<class C>(C) { return &C::kCrossings; });
}

}  // namespace farfield::paging
