#pragma once
// The camera that a session means, once it is known what there is to see: batch pictures and the window ask here.

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace farfield::session {

/// For a picture of width:height `aspect` that shows `bounds`.
scene::Camera cameraOf(const Session& session, const Bounds& bounds, double aspect);

}  // namespace farfield::session
