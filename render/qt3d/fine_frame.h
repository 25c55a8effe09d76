#pragma once
// Frames drawn with several pixels for each that is shown: every sample has a depth, as rays of volumes need it.

#include "render/qt3d/scene_renderer.h"

namespace farfield::qt3d {

/// So many in each direction.
constexpr int kFinePixels = 2;

/// `fine` are the colours, as drawn, of rows of the view from `firstRow` on; the depths of `frame`, which come for the same pixels,
/// become those of the pixels shown, and its picture theirs. Where something transparent is no edges are told apart.
void mergeSamples(const QImage& fine, Frame& frame, int firstRow = 0);

/// Large views are drawn band by band: puts one, whose first row is that one, into a frame of the whole view.
void putBand(const Frame& band, int firstRow, Frame& whole);

}  // namespace farfield::qt3d
