#include "core/paging/pool/corner_copy.h"

namespace farfield::paging {
namespace {

/// For one number type and component count; `kComponents` 0: as many as the page says.
template <class T, int kComponents>
struct Copies {
  static bool cell(const PageCells& page, const Index3& cell, double* out) {
    // One comparison for both ends: what lies before wraps to a huge number.
    const std::int64_t i = cell[0] - page.first[0], j = cell[1] - page.first[1], k = cell[2] - page.first[2];
    if (static_cast<std::uint64_t>(i) >= page.cells[0] || static_cast<std::uint64_t>(j) >= page.cells[1] ||
        static_cast<std::uint64_t>(k) >= page.cells[2])
      return false;
    const PageStrides strides = page.strides;
    const std::int64_t components = kComponents > 0 ? kComponents : strides.i;
    const T* const from =
        reinterpret_cast<const T*>(page.data) + i * components + j * strides.j + k * strides.k;
    const T* const rows[] = {from, from + strides.j, from + strides.k, from + strides.j + strides.k};
    for (const T* const row : rows)
      for (int n = 0; n < 2 * components; ++n) *out++ = static_cast<double>(row[n]);
    return true;
  }
  template <unsigned kAcross>
  static void crossing(const CellPiece* pieces, double* out) {
    const std::int64_t components = kComponents > 0 ? kComponents : pieces->strides->i;
    for (unsigned corner = 0; corner < 8; ++corner) {
      const CellPiece& piece = pieces[corner & kAcross];
      const T* const from = reinterpret_cast<const T*>(piece.page) + piece.first + (corner & 1) * components +
                            (corner >> 1 & 1) * piece.strides->j + (corner >> 2) * piece.strides->k;
      for (int n = 0; n < components; ++n) *out++ = static_cast<double>(from[n]);
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

CellCopy cellCopyFor(ScalarType type, int components) {
  return withCopies(type, components, []<class C>(C) -> CellCopy { return C::cell; });
}

const CrossingCopies& crossingCopiesFor(ScalarType type, int components) {
  return *withCopies(type, components, []<class C>(C) { return &C::kCrossings; });
}

}  // namespace farfield::paging
