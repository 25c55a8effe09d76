#pragma once
// Whose legend the legend of an object's function is.

#include <string>

#include "core/scene/legend_looks.h"
#include "core/session/session.h"

namespace farfield::session {

/// That of its data, or, where the object has a scale of its own, of the object alone.
inline std::string legendOwner(const Object& object) {
  return object.color.apart ? scene::ownLegend(object.data, object.name) : object.data;
}

}  // namespace farfield::session
