#include "core/session/kinds/streamlines/streamlines_shape.h"

#include "core/session/line_keys.h"

namespace farfield::session {

void readKeys(const detail::View& view, Streamlines& out) {
  detail::checkKeys(view, {"vector", "direction", "seeds", "integrator", "width"});
  detail::readLineKeys(view, out);
}

void writeKeys(detail::Keys& out, const Streamlines& shape) {
  detail::writeLineKeys(out, shape);
}

}  // namespace farfield::session
