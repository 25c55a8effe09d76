#include "core/session/kinds/slabs/slabs_shape.h"

#include "core/session/read_values.h"
#include "core/session/write_values.h"

namespace farfield::session {

void readKeys(const detail::View& view, Slabs&) {
  detail::checkKeys(view, {});
}

void writeKeys(detail::Keys&, const Slabs&) {}

}  // namespace farfield::session
