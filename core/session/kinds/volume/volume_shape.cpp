#include "core/session/kinds/volume/volume_shape.h"

#include "core/session/read_values.h"
#include "core/session/write_values.h"

namespace farfield::session {

void readKeys(const detail::View& view, Volume&) {
  detail::checkKeys(view, {});
}

void writeKeys(detail::Keys&, const Volume&) {}

}  // namespace farfield::session
