#include "app/model/other_data.h"

#include <variant>

#include "app/first/first_objects.h"
#include "app/model/line_shapes.h"
#include "app/model/window_kinds.h"

namespace farfield::app {
namespace {

/// The functions that its shape is made by, where it has what a new one of the data before has.
void suitShape(session::Object& object, const session::Object& was, const session::Object& is) {
  if (auto* const vector = vectorIn(object); vector && *vector == *vectorIn(was)) *vector = *vectorIn(is);
  if (auto* const surface = std::get_if<session::Isosurface>(&object.shape);
      surface && surface->by == std::get<session::Isosurface>(was.shape).by) {
    surface->by = std::get<session::Isosurface>(is.shape).by;
    surface->values = std::get<session::Isosurface>(is.shape).values;
  }
  if (auto* const lines = std::get_if<session::Isolines>(&object.shape);
      lines && lines->by == std::get<session::Isolines>(was.shape).by)
    lines->by = std::get<session::Isolines>(is.shape).by;
  if (auto* const volume = std::get_if<session::Volume>(&object.shape);
      volume && volume->by == std::get<session::Volume>(was.shape).by)
    volume->by = std::get<session::Volume>(is.shape).by;
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
  if (object.color.by == was.color.by && was.color.by != is.color.by) object.color = is.color;
  suitShape(object, was, is);
}

}  // namespace farfield::app
