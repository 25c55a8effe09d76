#include "core/session/kinds/isosurface/isosurface_shape.h"

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {
void readKeys(const detail::View& view, Isosurface& out) {
  detail::checkKeys(view, {"by", "value", "overlaps"});
  view["by"].require("name a function");
  detail::readFunction(view["by"], out.by);
  view["value"].require();
  if (view["value"].present()) detail::readNumbers(view["value"], out.values);
  detail::readOverlaps(view, out.resolvesOverlaps);
}

void writeKeys(detail::Keys& out, const Isosurface& shape) {
  out.set("by", shape.by);
  if (shape.values.size() == 1)
    out.set("value", shape.values[0]);
  else
    out.set("value", shape.values);
  out.putOverlaps(shape.resolvesOverlaps);
}

}  // namespace farfield::session
