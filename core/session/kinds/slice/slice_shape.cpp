#include "core/session/kinds/slice/slice_shape.h"

#include "core/session/read_values.h"
#include "core/session/write_values.h"

namespace farfield::session {

void readKeys(const detail::View& view, Slice& out) {
  detail::checkKeys(view, {"origin", "normal", "offsets"});
  Vec3 origin;
  if (view["origin"].read(origin)) out.origin = origin;
  if (view["normal"].read(out.normal) && out.normal == Vec3{0, 0, 0})
    view["normal"].wrong("has no direction", "give one such as [0, 0, 1]");
  if (view["offsets"].present()) detail::readNumbers(view["offsets"], out.offsets);
}

void writeKeys(detail::Keys& out, const Slice& shape) {
  if (shape.origin) out.set("origin", detail::jsonOf(*shape.origin));
  out.put("normal", shape.normal, Slice{}.normal);
  if (!shape.offsets.empty()) out.set("offsets", shape.offsets);
}

}  // namespace farfield::session
