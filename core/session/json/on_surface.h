#pragma once
// The surface on which an object lies: another object of the session, by its name, or a surface of its own. In
// either case the shape of the surface is at hand, so that the object can be computed by itself.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/session/kinds/grid_surface/grid_surface_shape.h"
#include "core/session/kinds/isosurface/isosurface_shape.h"
#include "core/session/kinds/slice/slice_shape.h"

namespace farfield::session {

using SurfaceShape = std::variant<Slice, GridSurface, Isosurface>;

struct OnSurface {
  std::string name = {};    ///< of the object that is the surface; empty: none, `shape` is its own
  SurfaceShape shape = {};  ///< that of the object, once followSurface() was called
  bool operator==(const OnSurface&) const = default;
};

namespace detail {
/// "NAME", or { "type", … } with the keys of that kind. Must be present.
void readOnSurface(const View& view, OnSurface& out);
void writeOnSurface(Keys& out, const OnSurface& on);
}  // namespace detail

/// The surface on which an object lies; nullptr for one that lies on none.
OnSurface* surfaceUnder(Object& object);
const OnSurface* surfaceUnder(const Object& object);
/// Whether other objects can lie on this one.
bool isSurface(const Object& object);
/// Whether `object`, which lies on a surface, can lie on that one: it isSurface(), and of a kind that `object` can be made on.
bool canLieOn(const Object& object, const Object& surface);
/// Takes over the shape of `surface`, an object that isSurface(), under its present name.
void followSurface(OnSurface& on, const Object& surface);

/// Functions that the surface itself needs, by name.
std::vector<std::string> functionsOf(const SurfaceShape& shape);

}  // namespace farfield::session
