#pragma once
// Handles in the view by which objects, and what is cut away of the picture, are moved.

#include <optional>
#include <string>
#include <vector>

#include "core/scene/scene.h"
#include "core/session/session.h"
#include "render/view/handle_drag.h"

namespace farfield::ui {

/// The handle for an object's seeds, plane or box that it is cut to; none where they cannot be dragged. `data` are the bounds of
/// its data.
std::optional<view::Handle> handleOf(const session::Object& object, const Bounds& data = {});
/// The same, or one for each place of probes.
std::vector<view::Handle> handlesOf(const session::Object& object, const Bounds& data = {});
/// For what is cut away of the picture: its first plane and its box. `shown` are the bounds of what is shown.
std::vector<view::Handle> handlesOf(const scene::Clip& clip, const Bounds& shown);
/// Of the places of its object, that of the handle with an id that begins so.
std::size_t placeNumberOf(const std::string& handle);
/// `object` with its seeds or plane, or its place `number`, at `positions` of that handle.
session::Object withHandleAt(session::Object object, const std::vector<Vec3>& positions,
                             std::size_t number = 0);
/// `clip` with what the handle with an id that begins so is of at `positions`.
scene::Clip withHandleAt(scene::Clip clip, const std::string& handle, const std::vector<Vec3>& positions);

}  // namespace farfield::ui
