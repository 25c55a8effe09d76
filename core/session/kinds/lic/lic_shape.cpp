#include "core/session/kinds/lic/lic_shape.h"

#include "core/scene/camera.h"
#include "core/session/json/camera_json.h"
#include "core/session/json/line_keys.h"

namespace farfield::session {

void readKeys(const detail::View& view, Lic& out) {
  detail::checkKeys(view, {"on", "vector", "resolution", "reach", "stretch", "animated"});
  detail::readOnSurface(view["on"], out.on);
  if (std::holds_alternative<Isosurface>(out.on.shape))
    view["on"].wrong("is an isosurface, which has no texture", "use a slice or a grid-surface");
  detail::readVector(view["vector"], out.vector);
  view["resolution"].read(out.resolution, Lic::kLeastResolution, Lic::kMostResolution);
  view["reach"].read(out.reach, 1, Lic::kMostReach);
  detail::readStretch(view["stretch"], out.stretch);
  view["animated"].read(out.animated);
}

void writeKeys(detail::Keys& out, const Lic& shape) {
  detail::writeOnSurface(out, shape.on);
  out.put("vector", shape.vector, Lic{}.vector);
  out.put("resolution", shape.resolution, Lic{}.resolution);
  out.put("reach", shape.reach, Lic{}.reach);
  out.put("stretch", shape.stretch, scene::kUnstretched);
  out.put("animated", shape.animated, false);
}

}  // namespace farfield::session
