#pragma once
// Objects that are seen as volumes.

#include "core/session/session.h"

namespace farfield::session {

/// What is shown of an object as a volume, computed here or by a renderer. Null for others.
const Volume* volumeOf(const Object& object);

}  // namespace farfield::session
