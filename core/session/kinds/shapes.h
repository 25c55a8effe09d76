#pragma once
// All kinds of objects: this list is the only one. What a kind has to have is in kind.h.

#include <cstddef>
#include <type_traits>
#include <variant>

#include "core/session/kinds/grid_surface/grid_surface_shape.h"
#include "core/session/kinds/isosurface/isosurface_shape.h"
#include "core/session/kinds/outline/outline_shape.h"
#include "core/session/kinds/pathlines/pathlines_shape.h"
#include "core/session/kinds/slabs/slabs_shape.h"
#include "core/session/kinds/slice/slice_shape.h"
#include "core/session/kinds/streaklines/streaklines_shape.h"
#include "core/session/kinds/streamlines/streamlines_shape.h"
#include "core/session/kinds/volume/volume_shape.h"
#include "core/session/terms.h"

namespace farfield::session {

/// In the order in which messages list them.
using Shape =
    std::variant<Streamlines, Pathlines, Streaklines, GridSurface, Slice, Isosurface, Volume, Slabs, Outline>;

constexpr int kTypeCount = std::variant_size_v<Shape>;

/// The number of a kind in Shape.
enum class ObjectType : int {};

inline ObjectType typeOf(const Shape& shape) {
  return ObjectType{static_cast<int>(shape.index())};
}

namespace detail {
template <class S, std::size_t N = 0>
constexpr ObjectType numberOf() {
  if constexpr (std::is_same_v<S, std::variant_alternative_t<N, Shape>>)
    return ObjectType{static_cast<int>(N)};
  else
    return numberOf<S, N + 1>();
}
}  // namespace detail

template <class S>
inline constexpr ObjectType kTypeOf = detail::numberOf<S>();

/// "streamlines", "grid-surface", …
const char* nameOf(ObjectType type);
/// That of an object of which nothing else is said.
Engine usualEngine(const Shape& shape);
/// `shape` without what changes its looks alone.
Shape withoutLooks(Shape shape);
/// A shape of that kind with everything at its default.
Shape shapeOf(ObjectType type);

}  // namespace farfield::session
