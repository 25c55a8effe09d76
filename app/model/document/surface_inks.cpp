#include "app/model/document/surface_inks.h"

#include <algorithm>
#include <cmath>

#include "app/first/first_objects.h"
#include "core/base/error.h"
#include "core/session/json/on_surface.h"
#include "render/color/color_map.h"

namespace farfield::app {
namespace {

using Entries = std::vector<DocumentState::Entry>;

/// L* of CIE 1976, 0 (black) to 100, of an sRGB colour.
double lightness(double red, double green, double blue) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const double y = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389.0 / 27;
}

double lightness(const scene::Rgba& color) {
  return lightness(color[0], color[1], color[2]);
}

bool isInkedLine(const session::Object& object) {
  return object.color.by.empty() && (object.type() == session::kTypeOf<session::Isolines> ||
                                     object.type() == session::kTypeOf<session::Arrows> ||
                                     object.type() == session::kTypeOf<session::SurfaceLines>);
}

/// The mean over all values: which of them are on the surface is not known before it is computed.
double lightnessOf(const session::Coloring& color) {
  if (color.by.empty()) return lightness(color.solid);
  double sum = 0;
  for (const auto& [red, green, blue] : color::ColorMap::of(color.map).table())
    sum += lightness(red / 255.0, green / 255.0, blue / 255.0);
  return sum / color::ColorMap::kEntries;
}

const session::Object* named(const Entries& entries, const std::string& name) {
  for (const DocumentState::Entry& entry : entries)
    if (entry.object->name == name) return entry.object.get();
  return nullptr;
}

const session::Object* find(const Entries& entries, ObjectId id) {
  for (const DocumentState::Entry& entry : entries)
    if (entry.id == id) return entry.object.get();
  return nullptr;
}

scene::Rgba inkAbove(double under) {
  const scene::Rgba dark = session::Coloring{}.solid;
  return lightness(kOnColorsColor) - under > under - lightness(dark) ? kOnColorsColor : dark;
}

/// What is seen below lines whose surface is hidden, or gone, is the background.
scene::Rgba inkOver(const session::Object* surface, const scene::Rgba& background) {
  return surface && surface->visible ? inkOn(*surface) : inkAbove(lightness(background));
}

}  // namespace

scene::Rgba inkOn(const session::Object& surface) {
  try {
    return inkAbove(lightnessOf(surface.color));
  } catch (const Error&) {
    return session::Coloring{}.solid;  // a map that is none
  }
}

void inkLines(session::Object& object, const session::Object& surface, const scene::Rgba& background) {
  if (isInkedLine(object)) object.color.solid = inkOver(&surface, background);
}

void followInks(const DocumentState& before, Draft& draft) {
  const scene::Rgba background = draft.state().frame->image.background,
                    oldBackground = before.frame->image.background;
  for (const DocumentState::Entry& entry : Entries(draft.objects())) {
    if (!isInkedLine(*entry.object)) continue;
    const session::Object* const was = find(before.objects, entry.id);
    const session::OnSurface *const on = session::surfaceUnder(*entry.object),
                                    *const wasOn = was ? session::surfaceUnder(*was) : nullptr;
    if (!on || !wasOn || was->color != entry.object->color) continue;
    const session::Object* const surface = named(draft.objects(), on->name);
    const session::Object* const oldSurface = named(before.objects, wasOn->name);
    if (surface == oldSurface && background == oldBackground) continue;
    const scene::Rgba ink = inkOver(surface, background);
    if (entry.object->color.solid != ink && entry.object->color.solid == inkOver(oldSurface, oldBackground))
      draft.object(entry.id).color.solid = ink;
  }
}

}  // namespace farfield::app
