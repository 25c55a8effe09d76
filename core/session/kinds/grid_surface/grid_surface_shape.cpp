#include "core/session/kinds/grid_surface/grid_surface_shape.h"

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {

void readKeys(const detail::View& view, GridSurface& out) {
  detail::checkKeys(view, {"block", "blocks", "range", "surface"});
  view["surface"].read(out.surface);
  for (const char* const key : {"block", "blocks", "range"})
    if (view["surface"].present() && view[key].present())
      view["surface"].wrong("cannot be combined with " + std::string(key),
                            "a surface of the data has its own");
  detail::readBlocks(view, out.blocks);
  detail::readRange3(view["range"], out.range);
}

void writeKeys(detail::Keys& out, const GridSurface& shape) {
  if (!shape.surface.empty()) return out.set("surface", shape.surface);
  out.putBlocks(shape.blocks);
  out.put("range", shape.range, IndexRange3{});
}

}  // namespace farfield::session
