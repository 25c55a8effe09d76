#pragma once
// Objects that are seen as volumes.

#include <string>

#include "core/session/session.h"

namespace farfield::session {

/// What is shown of an object as a volume, computed here or by a renderer. Null for others.
const Volume* volumeOf(const Object& object);
/// The function that colours an object; of a volume its own, where it has one. Empty: it has one colour.
std::string shownFunction(const Object& object);

}  // namespace farfield::session
