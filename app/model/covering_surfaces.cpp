#include "app/model/covering_surfaces.h"

#include <variant>

#include "app/first/first_objects.h"

namespace farfield::app {
namespace {

bool liesInside(const session::Object& object) {
  return std::visit(
      []<class Shape>(const Shape&) {
        constexpr bool kCuts = std::is_same_v<Shape, session::Slice> ||
                               std::is_same_v<Shape, session::Isosurface> ||
                               std::is_same_v<Shape, session::Volume>;
        return kCuts || requires(const Shape& shape) {
          shape.seeds;
        };
      },
      object.shape);
}

/// All outer faces of all blocks, and nothing to be seen through.
bool covers(const session::Object& object, const session::Session& session) {
  const auto* const surface = std::get_if<session::GridSurface>(&object.shape);
  const bool isCut = object.clipped && !session.image.clip.empty();
  return surface && *surface == session::GridSurface{} && object.visible && object.opacity >= 1 && !isCut;
}

}  // namespace

std::vector<ObjectId> coversOf(const session::Object& added, const DataSummary& data,
                               const Document& document) {
  std::vector<ObjectId> covers;
  if (!liesInside(added) || !hasInside(data)) return covers;
  for (const ObjectId id : document.objectIds()) {
    const session::Object& object = *document.object(id);
    if (object.data != added.data) continue;
    if (object.visible && liesInside(object)) return {};
    if (app::covers(object, document.session())) covers.push_back(id);
  }
  return covers;
}

}  // namespace farfield::app
