#include "core/session/kinds/outline/outline_shape.h"

#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {

void readKeys(const detail::View& view, Outline& out) {
  detail::checkKeys(view, {"block", "blocks", "width"});
  detail::readBlocks(view, out.blocks);
  view["width"].read(out.widthPixels, detail::kWidth);
}

void writeKeys(detail::Keys& out, const Outline& shape) {
  out.putBlocks(shape.blocks);
  out.put("width", shape.widthPixels, Outline{}.widthPixels);
}

}  // namespace farfield::session
