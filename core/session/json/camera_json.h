#pragma once
// Cameras as parts of a document. Internal to core/session.

#include <variant>

#include "core/session/json/json_view.h"
#include "core/session/session.h"

namespace farfield::session::detail {

/// Factors by which axes are seen longer; `out` stays where they are wrong.
void readStretch(const View& view, Vec3& out);
void readCamera(const View& view, std::variant<AutoCamera, FixedCamera>& out);
Json jsonOf(const std::variant<AutoCamera, FixedCamera>& camera);

}  // namespace farfield::session::detail
