#include "app/model/document/surface_beginnings.h"

#include <algorithm>
#include <utility>

#include "app/first/first_objects.h"
#include "app/first/usual_vector.h"
#include "app/model/document/line_shapes.h"
#include "app/model/document/surface_inks.h"
#include "core/base/error.h"
#include "core/fields/functions/box_functions.h"
#include "core/session/json/on_surface.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/kinds/slice/slice_run.h"

namespace farfield::app {
namespace {

/// Whether a part of it is a face of a structured block, where functions on walls have values, or of an unstructured one where the data
/// have shear of their own.
bool isOnFaces(const session::Object& surface, const DataSummary& data) {
  const auto* const sheet = std::get_if<session::GridSurface>(&surface.shape);
  const auto* const slice = std::get_if<session::Slice>(&surface.shape);
  if (!sheet && !(slice && slice->index)) return false;
  try {
    const auto sheets = sheet ? session::sheetsOf(*sheet, data.description)
                              : session::sheetsOf(*slice->index, data.description);
    return std::any_of(sheets.begin(), sheets.end(), [&](const extract::OrientedSurface& each) {
      const extract::GridSurface& its = each.surface;
      const auto& block = data.description.blocks[static_cast<std::size_t>(its.block())];
      if (its.isFaces()) return hasOwnShear(data);
      return its.beyond() == 0 && fields::wallFaceOf(block.dims, its.nodes(), its.fixedAxis()).has_value();
    });
  } catch (const Error&) {
    return false;  // what is wrong with it is said where it is computed
  }
}

void followVector(session::Object& object, std::vector<std::string> vector, const session::Object& surface,
                  const DataSummary& data) {
  const bool isOfWalls = !vector.empty() && vector == usualOnWalls(data);
  *vectorIn(object) = std::move(vector);
  // The velocity, which textures are coloured by, has one value on a wall.
  if (object.type() == session::kTypeOf<session::Lic> && isOfWalls && !surface.color.by.empty())
    object.color = surface.color;
}

}  // namespace

void suitSurface(session::Object& object, const session::Object& surface, const DataSummary& data,
                 const scene::Rgba& background) {
  inkLines(object, surface, background);
  if (auto* const lines = std::get_if<session::Isolines>(&object.shape))
    if (std::string by = isolineFunctionOn(surface, data); !by.empty()) lines->by = std::move(by);
  // It hides the surface, whose legend would stand beside other colours.
  if (object.type() == session::kTypeOf<session::Lic> && !surface.color.by.empty() &&
      !isOfCells(data, surface.color.by))
    object.color = surface.color;
  const std::vector<std::string> onWalls = usualOnWalls(data), usual = usualVector(data);
  if (onWalls.empty() || !vectorIn(object)) return;
  // Lines begin as on a wall (newSurfaceLines), all else as inside of the flow.
  if (object.type() != session::kTypeOf<session::SurfaceLines>) {
    if (isWall(surface, data)) followVector(object, onWalls, surface, data);
  } else if (!usual.empty() && !isWall(surface, data) && !isOnFaces(surface, data)) {
    followVector(object, usual, surface, data);
  }
}

void suitSize(session::Object& object, const Bounds& surface) {
  auto* const lines = std::get_if<session::SurfaceLines>(&object.shape);
  const double spacing = lineSpacingFor(surface);
  if (lines && lines->spacing && spacing > 0) lines->spacing = std::min(*lines->spacing, spacing);
}

std::optional<session::Object> withOwnSpacing(const session::Object& object, const Bounds& surface,
                                              const DataSummary& data) {
  const auto* const lines = std::get_if<session::SurfaceLines>(&object.shape);
  if (!lines || !lines->spacing || *lines->spacing != lineSpacingFor(data.bounds)) return std::nullopt;
  session::Object close = object;
  suitSize(close, surface);
  if (std::get<session::SurfaceLines>(close.shape).spacing == lines->spacing) return std::nullopt;
  return close;
}

bool showsNoVector(const session::ObjectStats& stats) {
  return stats.find("vectorIsZero") || stats.find("vectorHasNoValues") ||
         (stats.points == 0 && (stats.type == nameOf(session::kTypeOf<session::SurfaceLines>) ||
                                stats.type == nameOf(session::kTypeOf<session::Arrows>) ||
                                stats.type == nameOf(session::kTypeOf<session::Lic>)));
}

std::optional<session::Object> withOtherVector(const session::Object& object, const session::Object& surface,
                                               const DataSummary& data) {
  const std::vector<std::string> wall = usualOnWalls(data), usual = usualVector(data);
  const std::vector<std::string>* const vector = vectorIn(object);
  if (wall.empty() || usual.empty() || wall == usual || !vector) return std::nullopt;
  session::Object other = object;
  if (*vector == wall)
    followVector(other, usual, surface, data);
  else if (*vector == usual && isOnFaces(surface, data))
    followVector(other, wall, surface, data);
  else
    return std::nullopt;
  return other;
}

}  // namespace farfield::app
