#include "core/paging/cache/corner_copy.h"

namespace farfield::paging {
namespace {

/// For one number type and component count; `kComponents` 0: the page's count.
template <class T, int kComponents>
struct Copies {
  static void cell(std::intptr_t lowest, const NodePlaces& places, double* out) {
    const std::int64_t node = kComponents > 0 ? kComponents * kNumberBytes : places.i;
    for (const std::intptr_t row :
         {lowest, lowest + places.j, lowest + places.k, lowest + places.j + places.k})
      out = copy(row, 2 * (node / kNumberBytes), out);
  }
  static void crossing(const CellPiece* pieces, unsigned across, double* out) {
    const std::int64_t components = kComponents > 0 ? kComponents : pieces->places->i / kNumberBytes;
    for (unsigned corner = 0; corner < 8; ++corner) {
      const CellPiece& piece = pieces[corner & across];
      out = copy(piece.lowest + (corner & 1) * components * kNumberBytes +
                     (corner >> 1 & 1) * piece.places->j + (corner >> 2) * piece.places->k,
                 components, out);
    }
  }

 private:
  static constexpr std::int64_t kNumberBytes = sizeof(T);
  /// Returns the end of what was written.
  static double* copy(std::intptr_t address, std::int64_t count, double* out) {
    const T* const from = reinterpret_cast<const T*>(address);
    for (std::int64_t n = 0; n < count; ++n) *out++ = static_cast<double>(from[n]);
    return out;
  }
};

/// Calls `choose` with the Copies for `type` and `components`.
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
    case ScalarType::I8:
      return ofType(std::int8_t{});
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

CrossingCopy crossingCopyFor(ScalarType type, int components) {
  return withCopies(type, components, []<class C>(C) -> CrossingCopy { return C::crossing; });
}

}  // namespace farfield::paging
