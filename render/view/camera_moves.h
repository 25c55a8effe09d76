#pragma once
// Moving a camera, for mouse and menus. Functions from camera to camera, which the viewport only has to call.
// All cameras are usable (screen_map.h), and so are the results.

#include "core/scene/scene.h"
#include "render/view/screen_map.h"

namespace farfield::view {

/// Around the target, by angles in radians: `yaw` about the upward direction of the screen (positive: the
/// scene turns to the right), `pitch` about its horizontal (positive: the scene's front turns down), `roll`
/// about the line of sight (positive: the scene turns clockwise).
scene::Camera rotated(const scene::Camera& camera, double yaw, double pitch, double roll = 0);

/// The same without roll, where `axis` stays upright: `yaw` is about it, and `pitch` ends shortly before the camera
/// looks along it.
scene::Camera turned(const scene::Camera& camera, Vec3 axis, double yaw, double pitch);
/// The axis x, y or z, or its opposite, that `direction` is nearest to.
Vec3 axisOf(Vec3 direction);

/// What was seen at `from`, at the depth of the target, is then seen at `to`.
scene::Camera panned(const scene::Camera& camera, ScreenPoint from, ScreenPoint to, double width,
                     double height);

/// Everything becomes `factor` times as large; what is seen at `anchor`, at the depth of the target, stays
/// there.
scene::Camera zoomed(const scene::Camera& camera, double factor, ScreenPoint anchor, double width,
                     double height);

/// Moved so that it looks at `target`, a place in the data, from the same direction and distance.
scene::Camera centeredOn(const scene::Camera& camera, Vec3 target);

/// With or without perspective; things at the target's depth keep their size.
scene::Camera withProjection(const scene::Camera& camera, bool orthographic);

/// All of `bounds` from `direction` (from the middle to the eye), with the projection and the stretch of `like`. Empty bounds
/// give `like`.
scene::Camera fitted(const scene::Camera& like, const Bounds& bounds, Vec3 direction, Vec3 up, double aspect);

/// `camera` shows `bounds` in a picture that has the part `part` of the width of one of `width` x `height` pixels. Moved sideways so that in
/// the whole one they are seen in that part, at the left, about as they are in that picture.
scene::Camera atTheLeft(const scene::Camera& camera, const Bounds& bounds, double part, double width,
                        double height);

/// For a picture of width:height `aspect`, from the same place: all that `camera` shows where it is `seenAspect`, and more at two
/// sides where these differ.
scene::Camera seeingAll(const scene::Camera& camera, double seenAspect, double aspect);

/// The transition from one camera to another: `t` from 0 to 1, at an even pace. Turns by the shortest way,
/// and approaches evenly in ratio rather than in distance. If the projections differ, that of `to` is used
/// all the way. Stretches change evenly in ratio, and what is looked at goes with the data.
scene::Camera between(const scene::Camera& from, const scene::Camera& to, double t);

/// Stretched otherwise: it looks at the same place of the data, or as far beside them, and `bounds` of the data are seen about as
/// large as before.
scene::Camera withStretch(const scene::Camera& camera, Vec3 stretch, const Bounds& bounds);

}  // namespace farfield::view
