#include "core/session/kinds/arrows/arrows_shape.h"

#include "core/scene/camera.h"
#include "core/session/json/camera_json.h"
#include "core/session/json/line_keys.h"

namespace farfield::session {

void readKeys(const detail::View& view, Arrows& out) {
  detail::checkKeys(view, {"on", "vector", "spacing", "tangential", "length", "stretch", "width"});
  detail::readOnSurface(view["on"], out.on);
  detail::readVector(view["vector"], out.vector);
  view["spacing"].read(out.spacing, detail::kPositive);
  view["tangential"].read(out.tangential);
  const detail::View length = view["length"];
  if (length.isNumber()) {
    if (length.read(out.scale, detail::kPositive)) out.length = ArrowLength::Scaled;
  } else if (length.isText("equal")) {
    out.length = ArrowLength::Equal;
  } else if (length.present() && !length.isText("auto")) {
    length.mustBe("\"auto\", \"equal\" or the length per unit of the vector");
  }
  detail::readStretch(view["stretch"], out.stretch);
  view["width"].read(out.widthPixels, detail::kWidth);
}

void writeKeys(detail::Keys& out, const Arrows& shape) {
  detail::writeOnSurface(out, shape.on);
  out.put("vector", shape.vector, Arrows{}.vector);
  out.put("spacing", shape.spacing);
  out.put("tangential", shape.tangential, false);
  if (shape.length == ArrowLength::Equal) out.set("length", "equal");
  if (shape.length == ArrowLength::Scaled) out.set("length", shape.scale);
  out.put("stretch", shape.stretch, scene::kUnstretched);
  out.put("width", shape.widthPixels, Arrows{}.widthPixels);
}

}  // namespace farfield::session
