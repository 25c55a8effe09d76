#pragma once
// Whose legend the legend of an object's function is. What is seen by itself is set by itself.

#include <string>

#include "core/scene/legend_looks.h"
#include "core/session/session.h"

namespace farfield::session {

/// That of its data, where the object's colours are those of the first that shows this function of them. Of the object alone where it has a
/// scale of its own; of the first one with its colours where these are others, as a volume may have a map of its own. Looks that an object
/// has from then stay its own as long as no other has its colours.
std::string legendOwner(const Object& object, const Session& session);

}  // namespace farfield::session
