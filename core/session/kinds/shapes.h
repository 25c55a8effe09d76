#pragma once
// The list of all kinds of objects, the only one. What a kind consists of is in kind.h.

#include <cstddef>
#include <type_traits>
#include <variant>

#include "core/scene/lighting.h"
#include "core/session/kinds/arrows/arrows_shape.h"
#include "core/session/kinds/grid_surface/grid_surface_shape.h"
#include "core/session/kinds/isolines/isolines_shape.h"
#include "core/session/kinds/isosurface/isosurface_shape.h"
#include "core/session/kinds/lic/lic_shape.h"
#include "core/session/kinds/outline/outline_shape.h"
#include "core/session/kinds/pathlines/pathlines_shape.h"
#include "core/session/kinds/probe/probe_shape.h"
#include "core/session/kinds/slabs/slabs_shape.h"
#include "core/session/kinds/slice/slice_shape.h"
#include "core/session/kinds/streaklines/streaklines_shape.h"
#include "core/session/kinds/streamlines/streamlines_shape.h"
#include "core/session/kinds/surface_lines/surface_lines_shape.h"
#include "core/session/kinds/volume/volume_shape.h"
#include "core/session/terms.h"

namespace farfield::session {

/// In the order in which messages list them.
using Shape = std::variant<Streamlines, Pathlines, Streaklines, GridSurface, Slice, Isosurface, Isolines,
                           Arrows, Lic, SurfaceLines, Volume, Slabs, Outline, Probe>;

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
/// The engine of an object that names none.
Engine usualEngine(const Shape& shape);
/// The light on an object that says nothing of it.
scene::Lighting usualLighting(const Shape& shape);
/// `shape` without what changes only how it is drawn.
Shape withoutLooks(Shape shape);
/// A shape of that kind with all defaults.
Shape shapeOf(ObjectType type);

}  // namespace farfield::session
