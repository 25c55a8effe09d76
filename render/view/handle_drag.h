#pragma once
// Dragging handles: which part of one is under the cursor, and where its positions go when the cursor moves.
// Everything in pixels and data coordinates, so that it can be tested without a window. Where axes are stretched, the way from one to
// the other is the seen one: a normal stands upright on the plane that is seen, and the place under the cursor follows it.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "render/view/handle.h"
#include "render/view/screen_map.h"

namespace farfield::view {

/// A grip of a handle. Parts are numbered: positions first (0, 1, 2 as in Handle::positions; of a plane 0 is
/// its origin and 1 the tip of the normal; of a box 0 ... 5 are the faces -x +x -y +y -z +z), then kMiddle.
struct Knob {
  int part = 0;
  Vec3 place;
};
constexpr int kMiddle = 100;

/// Whether a handle has the positions of its kind, all finite.
bool isUsable(const Handle& handle);

/// For a usable handle. The tip of a plane's normal is at a fixed distance on the screen.
std::vector<Knob> knobsOf(const Handle& handle, const ScreenMap& map);

/// A place for a plane's knob, where it can be seen: `origin` itself inside of `bounds`, else the middle of
/// the plane's cut through them; `origin` where there is no such cut.
Vec3 gripOf(Vec3 origin, Vec3 normal, const Bounds& bounds);

/// The corners, in order, of the area of a handle: the patch itself; the cut of a plane with its box, or a
/// small square if it misses it. Empty for the other kinds.
std::vector<Vec3> areaOf(const Handle& handle, const ScreenMap& map);

using Segment = std::pair<Vec3, Vec3>;
/// The lines of a handle besides its knobs: the rim of its area and, for a plane, its normal.
std::vector<Segment> outlineOf(const Handle& handle, const ScreenMap& map);

struct HandleHit {
  std::size_t handle = 0;  ///< index
  int part = 0;
  bool operator==(const HandleHit&) const = default;
};
/// The nearest knob within `reach` pixels; else an edge within half of that, which moves the whole handle (a
/// plane along its normal); or nothing. Of two equally near the later handle counts.
std::optional<HandleHit> hitHandle(std::span<const Handle> handles, const ScreenMap& map, ScreenPoint pixel,
                                   double reach);

/// One drag, from pressing the button to releasing it. Always moves from the start position, so that rounding
/// does not add up and a cursor that returns restores everything.
class HandleDrag {
 public:
  /// A plane stops where it would leave its box.
  HandleDrag(Handle handle, int part, ScreenPoint start, const ScreenMap& map);

  /// The handle with the cursor at `pixel`. Points move parallel to the screen; in data that are a layer, much shorter along one
  /// axis than along the others, in the layer. With `constrained` (Shift) points move only along the axis of the
  /// data along which they have moved furthest, as near to the cursor as it gets, a plane's origin in the plane of the screen, and a normal
  /// turns to the nearest axis. What has moved is rounded to what is visible on the screen, so that numbers
  /// are short: 0.25 rather than 0.24873814309311726.
  Handle moved(ScreenPoint pixel, bool constrained = false) const;
  /// The handle with its knob at that place, on a surface perhaps. Of a plane the origin is there; a face of a box goes to it along
  /// its axis; a normal points to it.
  Handle movedTo(Vec3 inTheData) const;
  /// The handle at the start of the drag.
  const Handle& start() const { return m_handle; }

 private:
  Handle inData(const Handle& seen) const;
  Handle exactly(ScreenPoint pixel, bool constrained) const;
  Vec3 shift(ScreenPoint pixel, bool constrained) const;
  double shiftAlong(Vec3 direction, ScreenPoint pixel) const;

  Handle m_handle;
  Handle m_seen;  // the same in the camera's space; what follows is of that space, too
  int m_part;
  ScreenPoint m_start;
  ScreenMap m_map;
  Vec3 m_stretch;
  Vec3 m_knob;
};

}  // namespace farfield::view
