#include "core/session/json/on_surface.h"

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"
#include "core/session/session.h"

namespace farfield::session {
namespace {

template <std::size_t N = 0>
SurfaceShape surfaceShapeOf(std::size_t number) {
  if constexpr (N + 1 < std::variant_size_v<SurfaceShape>)
    if (number != N) return surfaceShapeOf<N + 1>(number);
  return SurfaceShape(std::in_place_index<N>);
}

}  // namespace

namespace detail {

void readOnSurface(const View& view, OnSurface& out) {
  view.require("name a slice, a grid-surface or an isosurface, or describe one: {\"type\": \"slice\", …}");
  if (!view.present()) return;
  if (view.isText()) {
    view.read(out.name);
    return;
  }
  if (!view.isObject()) return view.mustBe("the name of an object, or a surface {\"type\": \"slice\", …}");
  for (const char* const key :
       {"name", "data", "visible", "opacity", "color", "lighting", "engine", "budget", "edges", "clipped"})
    if (view[key].present())
      return view[key].wrong("belongs to the object, not to the surface that it lies on",
                             "write it beside \"on\"");
  view["type"].require("one of slice, grid-surface, isosurface");
  const auto type = view["type"].choice({Slice::kType, GridSurface::kType, Isosurface::kType});
  if (!type) return;
  out.shape = surfaceShapeOf(static_cast<std::size_t>(*type));
  std::visit([&](auto& its) { readKeys(view, its); }, out.shape);
}

void writeOnSurface(Keys& out, const OnSurface& on) {
  if (!on.name.empty()) return out.set("on", on.name);
  std::visit(
      [&]<class S>(const S& its) {
        Json surface = {{"type", S::kType}};
        Keys keys(surface);
        writeKeys(keys, its);
        out.set("on", std::move(surface));
      },
      on.shape);
}

}  // namespace detail

OnSurface* surfaceUnder(Object& object) {
  return std::visit(
      [](auto& its) -> OnSurface* {
        if constexpr (requires { its.on; })
          return &its.on;
        else
          return nullptr;
      },
      object.shape);
}

const OnSurface* surfaceUnder(const Object& object) {
  return surfaceUnder(const_cast<Object&>(object));
}

bool isSurface(const Object& object) {
  return std::holds_alternative<Slice>(object.shape) || std::holds_alternative<GridSurface>(object.shape) ||
         std::holds_alternative<Isosurface>(object.shape);
}

bool canLieOn(const Object& object, const Object& surface) {
  if (!isSurface(surface)) return false;
  const auto* const slice = std::get_if<Slice>(&surface.shape);
  if (std::holds_alternative<Lic>(object.shape)) return !std::holds_alternative<Isosurface>(surface.shape);
  if (std::holds_alternative<SurfaceLines>(object.shape))
    return std::holds_alternative<GridSurface>(surface.shape) || (slice && slice->index);
  return true;
}

void followSurface(OnSurface& on, const Object& surface) {
  on.name = surface.name;
  std::visit(
      [&]<class S>(const S& its) {
        if constexpr (std::is_constructible_v<SurfaceShape, const S&>) on.shape = its;
      },
      surface.shape);
}

std::vector<std::string> functionsOf(const SurfaceShape& shape) {
  if (const auto* const surface = std::get_if<Isosurface>(&shape)) return {surface->by};
  return {};
}

}  // namespace farfield::session
