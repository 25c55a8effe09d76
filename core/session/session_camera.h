#pragma once
// The camera of a session, for known bounds: used by batch pictures and the window.

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace farfield::session {

/// For a picture of width:height `aspect` that shows `bounds`.
scene::Camera cameraOf(const Session& session, const Bounds& bounds, double aspect);

}  // namespace farfield::session
