#pragma once
// Paints handles over the finished picture, so that they are always visible and never wait for it.

#include <QPainter>
#include <optional>
#include <span>
#include <vector>

#include "render/view/handle_drag.h"

namespace farfield::qt3d {

/// Radius of a knob, and how close to it the cursor must be, in the widget's units.
constexpr double kKnobRadius = 5.5, kKnobReach = 10;

/// Where their knobs are, which nothing is to cover, but for places, which stand under what they are of.
std::vector<QRectF> knobsSeen(std::span<const view::Handle> handles, const view::ScreenMap& map);

/// Paints `handles` as `map` sees them; highlights the part under the cursor or being dragged.
void paintHandles(QPainter& painter, std::span<const view::Handle> handles, const view::ScreenMap& map,
                  const std::optional<view::HandleHit>& marked);

}  // namespace farfield::qt3d
