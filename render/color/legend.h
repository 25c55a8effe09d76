#pragma once
// The text on a picture: colour bars with their values, and the title. Drawn into the finished picture, so
// that every back end shows the same.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/color/image.h"

namespace farfield::color {

/// A rectangle of pixels, [left, right) x [top, bottom).
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;
};

/// Where the legend of a function is.
struct LegendBox : PixelBox {
  std::string function;
  std::string name;  ///< that is written over it, whole
  PixelBox group;    ///< this legend and others of its function, which keep together once they have a place
  scene::ColorScale scale;  ///< as it is drawn
};

/// The share of a picture's width, on the right, for legends if there is room: scene::cameraFor() leaves it
/// free.
constexpr double kLegendStrip = 0.14;
/// The part of the width of a picture of so many pixels, at the left, in which that share leaves a legend the room that it needs.
double partBesideLegends(double width, double height);

/// Draws one vertical colour bar for each scale that has a title and a visible legend: where its look places it, else
/// stacked from top to bottom on the right below `top` pixels and above the last `bottom` ones (smaller if a stack is full, down to 0.6 of their size; then
/// further columns to the left; then with short bars), in a
/// colour readable on `background`; only letters have a rim of that. Equal scales are drawn once. Bars without room are left out; no
/// bar is cut off or overlaps another, but for those of several functions placed by hand; those of one function that have one place
/// stand below one another there. Without any font the bars have no text (a warning says so). Returns
/// the boxes covered, in the order of the scales drawn. Throws Invalid (checkScale).
std::vector<LegendBox> drawLegends(Image& image, std::span<const scene::ColorScale> scales,
                                   const scene::Rgba& background, int top = 0, int bottom = 0);

/// Draws the title and the legends of all coloured items of a scene that have values. If several have the same title but
/// different scales, the names of their items are added. Legends that nobody has placed keep clear of the last `bottom` pixels. Returns the
/// boxes of the legends.
std::vector<LegendBox> annotate(Image& image, const scene::Scene& scene, int bottom = 0);

/// How wide and high the legends of `function` that were given this place are together in a picture of so many pixels, as annotate() would
/// draw them: what their place leaves free is the rest. None: there are none. Draws nothing. Throws Invalid (checkScale).
std::optional<std::array<double, 2>> placedSize(const scene::Scene& scene, const std::string& function,
                                                const std::array<double, 2>& place, int width, int height);

/// Puts the legends of scales that nobody has placed below one another at the left edge; equal ones share a place.
/// Of more than two they become smaller.
void placeAtLeft(std::span<scene::ColorScale* const> scales);

}  // namespace farfield::color
