#include "core/session/shown_volume.h"

namespace farfield::session {

const Volume* volumeOf(const Object& object) {
  const auto* const slabs = std::get_if<Slabs>(&object.shape);
  return slabs ? &slabs->shown : std::get_if<Volume>(&object.shape);
}

std::string shownFunction(const Object& object) {
  const Volume* const volume = volumeOf(object);
  return volume && !volume->by.empty() ? volume->by : object.color.by;
}

}  // namespace farfield::session
