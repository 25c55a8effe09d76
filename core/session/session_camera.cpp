#include "core/session/session_camera.h"

namespace farfield::session {

scene::Camera cameraOf(const Session& session, const Bounds& bounds, double aspect) {
  if (const auto* fixed = std::get_if<FixedCamera>(&session.camera))
    return {fixed->position,
            fixed->target,
            fixed->up,
            fixed->fieldOfViewDegrees,
            fixed->orthographicHeight.has_value(),
            fixed->orthographicHeight.value_or(1)};
  const auto& automatic = std::get<AutoCamera>(session.camera);
  return scene::cameraFor(bounds, automatic.direction, automatic.up, aspect);
}

}  // namespace farfield::session
