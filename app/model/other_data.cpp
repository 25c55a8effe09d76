#include "app/model/other_data.h"

#include <variant>

#include "app/first/first_objects.h"
#include "app/model/line_shapes.h"
#include "app/model/window_kinds.h"

namespace farfield::app {
namespace {

/// `value` of an object, where it is what a new one of the data before has.
template <class Value>
void follow(Value& value, const Value& was, const Value& is) {
  if (value == was) value = is;
}

/// The functions that its shape is made by.
void suitShape(session::Object& object, const session::Object& was, const session::Object& is) {
  if (auto* const vector = vectorIn(object)) follow(*vector, *vectorIn(was), *vectorIn(is));
  if (auto* const surface = std::get_if<session::Isosurface>(&object.shape)) {
    const auto& before = std::get<session::Isosurface>(was.shape);
    const auto& after = std::get<session::Isosurface>(is.shape);
    // Values are of their function: two runs are compared at the same ones.
    if (surface->by == before.by && before.by != after.by) *surface = after;
  }
  if (auto* const lines = std::get_if<session::Isolines>(&object.shape))
    follow(lines->by, std::get<session::Isolines>(was.shape).by, std::get<session::Isolines>(is.shape).by);
  if (auto* const volume = std::get_if<session::Volume>(&object.shape))
    follow(volume->by, std::get<session::Volume>(was.shape).by, std::get<session::Volume>(is.shape).by);
}

/// Of other functions; what was chosen of them stays.
void suitColors(session::Coloring& color, const session::Coloring& was, const session::Coloring& is) {
  if (color.by != was.by || was.by == is.by) return;
  color.by = is.by;
  follow(color.range, was.range, is.range);
  follow(color.symmetric, was.symmetric, is.symmetric);
  follow(color.logarithmic, was.logarithmic, is.logarithmic);
  follow(color.solid, was.solid, is.solid);
}

}  // namespace

void suitOtherData(session::Object& object, const DataSummary& before, const DataSummary& after) {
  if (after.functions.empty() && after.parts.empty()) {
    // They are shown in one colour, as they are when they are opened.
    if (object.color.by.empty()) return;
    object.color.by.clear();
    object.color.solid = kSurfaceColor;
    return;
  }
  const WindowKind kind = windowKind(object.type());
  if (!canAdd(kind, before) || !canAdd(kind, after)) return;
  const session::Object was = newObject(object.type(), before, object.data),
                        is = newObject(object.type(), after, object.data);
  suitColors(object.color, was.color, is.color);
  suitShape(object, was, is);
}

}  // namespace farfield::app
