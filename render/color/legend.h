#pragma once
// The words on a picture: colour bars that say which colour is which value, and the title. Drawn into the
// finished picture, so that every back end shows the same ones.

#include <span>
#include <vector>

#include "render/color/image.h"

namespace farfield::color {

/// A rectangle of pixels, [left, right) x [top, bottom).
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;
};

/// The part of a picture's width, on the right, that legends stand on where they have room: what
/// scene::cameraFor() leaves free.
constexpr double kLegendStrip = 0.14;

/// Draws one vertical colour bar for each scale that has a title, stacked from top to bottom on the right
/// below `top` pixels (further columns to the left where a stack is full), in ink that is readable on
/// `background`, each on a veil of the background's colour. Equal scales are drawn once. What finds no
/// room is left out; no bar is cut off or overlaps another. Without any font the bars have no words (a
/// warning says so). Returns the boxes covered, in the order of the scales drawn. Throws Invalid
/// (checkScale).
std::vector<PixelBox> drawLegends(Image& image, std::span<const scene::ColorScale> scales,
                                  const scene::Rgba& background, int top = 0);

/// Draws the title and the legends of all coloured items of a scene. Where several have one title but not one
/// scale, the names of their items say which is whose. Returns the boxes of the legends.
std::vector<PixelBox> annotate(Image& image, const scene::Scene& scene);

}  // namespace farfield::color
