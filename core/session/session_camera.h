#pragma once
// The camera of a session, for known bounds: used by batch pictures and the window. And cameras as text, as documents have
// them.

#include <optional>
#include <string>
#include <string_view>

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace farfield::session {

/// Of a view from its lower edge to its upper one, in degrees, without which nothing is seen.
inline constexpr double kLeastAngle = 0.001, kMostAngle = 179;

/// For a picture of width:height `aspect` that shows `bounds`.
scene::Camera cameraOf(const Session& session, const Bounds& bounds, double aspect);
scene::Camera cameraOf(const std::variant<AutoCamera, FixedCamera>& camera, const Bounds& bounds,
                       double aspect);
scene::Camera cameraOf(const FixedCamera& camera);
Vec3 stretchOf(const std::variant<AutoCamera, FixedCamera>& camera);
/// A session's camera that sees the same.
FixedCamera fixedCamera(const scene::Camera& camera);

std::string textOfCamera(const scene::Camera& camera);
/// Of such a text, or of a whole session with such a camera; nothing where it is none.
std::optional<scene::Camera> cameraFromText(std::string_view text);

}  // namespace farfield::session
