#include "core/session/session_camera.h"

namespace farfield::session {

scene::Camera cameraOf(const FixedCamera& camera) {
  return {camera.position,
          camera.target,
          camera.up,
          camera.fieldOfViewDegrees,
          camera.orthographicHeight.has_value(),
          camera.orthographicHeight.value_or(1),
          camera.stretch};
}

FixedCamera fixedCamera(const scene::Camera& camera) {
  FixedCamera fixed{camera.position, camera.target, camera.up, camera.fieldOfViewDegrees, {}, camera.stretch};
  if (camera.orthographic) fixed.orthographicHeight = camera.orthographicHeight;
  return fixed;
}

scene::Camera cameraOf(const Session& session, const Bounds& bounds, double aspect) {
  return cameraOf(session.camera, bounds, aspect);
}

scene::Camera cameraOf(const std::variant<AutoCamera, FixedCamera>& camera, const Bounds& bounds,
                       double aspect) {
  if (const auto* fixed = std::get_if<FixedCamera>(&camera)) return cameraOf(*fixed);
  const auto& automatic = std::get<AutoCamera>(camera);
  return scene::cameraFor(bounds, automatic.direction, automatic.up, aspect, automatic.stretch);
}

Vec3 stretchOf(const std::variant<AutoCamera, FixedCamera>& camera) {
  return std::visit([](const auto& each) { return each.stretch; }, camera);
}

}  // namespace farfield::session
