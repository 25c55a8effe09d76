#include "core/session/kinds/surface_lines/surface_lines_shape.h"

#include "core/session/json/line_keys.h"

namespace farfield::session {

void readKeys(const detail::View& view, SurfaceLines& out) {
  detail::checkKeys(view, {"on", "vector", "direction", "count", "spacing", "maxLength", "width"});
  detail::readOnSurface(view["on"], out.on);
  detail::readVector(view["vector"], out.vector);
  detail::readDirection(view["direction"], out.direction);
  view["count"].read(out.count, 1, SurfaceLines::kMostLines);
  view["spacing"].read(out.spacing, detail::kPositive);
  view["maxLength"].read(out.maxLength, detail::kPositive);
  view["width"].read(out.widthPixels, detail::kWidth);
}

void writeKeys(detail::Keys& out, const SurfaceLines& shape) {
  detail::writeOnSurface(out, shape.on);
  out.put("vector", shape.vector, SurfaceLines{}.vector);
  out.put("direction", shape.direction, SurfaceLines{}.direction);
  out.put("count", shape.count, SurfaceLines{}.count);
  out.put("spacing", shape.spacing);
  out.put("maxLength", shape.maxLength);
  out.put("width", shape.widthPixels, SurfaceLines{}.widthPixels);
}

}  // namespace farfield::session
