#include "app/model/fields/other_data.h"

#include <variant>

#include "app/first/first_objects.h"
#include "app/model/document/line_shapes.h"
#include "app/model/fields/window_kinds.h"

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
  if (auto* const lines = std::get_if<session::Isolines>(&object.shape)) {
    const auto& before = std::get<session::Isolines>(was.shape);
    const auto& after = std::get<session::Isolines>(is.shape);
    if (lines->by == before.by && before.by != after.by) {
      lines->by = after.by;
      lines->values = after.values;
      lines->range = after.range;
    }
  }
  if (auto* const volume = std::get_if<session::Volume>(&object.shape)) {
    const auto& before = std::get<session::Volume>(was.shape);
    const auto& after = std::get<session::Volume>(is.shape);
    const bool isFirst = volume->by == before.by && (!before.by.empty() || object.color.by == was.color.by);
    if (isFirst && (before.by != after.by || was.color.by != is.color.by)) {
      volume->by = after.by;
      volume->range = after.range;
      volume->logarithmic = after.logarithmic;
      volume->look.opacity = after.look.opacity;
    }
  }
}

/// Of other functions, whose values are others; what else was chosen stays.
void suitColors(session::Coloring& color, const session::Coloring& was, const session::Coloring& is) {
  if (color.by != was.by || was.by == is.by) return;
  color.by = is.by;
  color.range = is.range;
  if (!isOfWholeData(color)) color.rangeOf = is.rangeOf;
  color.logarithmic = is.logarithmic;
  follow(color.solid, was.solid, is.solid);
}

}  // namespace

void suitOtherData(session::Object& object, const DataSummary& before, const DataSummary& after) {
  if (after.functions.empty()) {
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
  suitShape(object, was, is);
  suitColors(object.color, was.color, is.color);
}

}  // namespace farfield::app
