#pragma once
// How handles look. They are painted over the finished picture, so they are always seen and never wait for
// it.

#include <QPainter>
#include <optional>
#include <span>

#include "render/view/handle_drag.h"

namespace farfield::qt3d {

/// Radius of a knob, and how near to one the cursor must be, in the widget's units.
constexpr double kKnobRadius = 5.5, kKnobReach = 10;

/// Paints `handles` as `map` sees them; the part under the cursor or being dragged is marked.
void paintHandles(QPainter& painter, std::span<const view::Handle> handles, const view::ScreenMap& map,
                  const std::optional<view::HandleHit>& marked);

}  // namespace farfield::qt3d
