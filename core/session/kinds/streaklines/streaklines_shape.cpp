#include "core/session/kinds/streaklines/streaklines_shape.h"

#include "core/session/json/line_keys.h"

namespace farfield::session {

void readKeys(const detail::View& view, Streaklines& out) {
  detail::checkKeys(view, {"vector", "seeds", "release", "integrator", "interpolation", "as", "width"});
  detail::readLineKeys(view, out);
}

void writeKeys(detail::Keys& out, const Streaklines& shape) {
  detail::writeLineKeys(out, shape);
}

}  // namespace farfield::session
