#pragma once
// Axes with numbers along the edges of a box, as strokes and labels on the picture: on the outline of the box, so
// that they lie over nothing. Independent of what draws them.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/scene/camera.h"

namespace farfield::view {

/// In pixels, from the upper left corner of the picture.
using PixelPoint = std::array<double, 2>;

struct AxisStroke {
  PixelPoint from{}, to{};
  bool faint = false;  ///< an edge of the box that is no axis
};
struct AxisLabel {
  PixelPoint place{};  ///< of its middle
  std::string text;
};
struct BoxAxes {
  std::vector<AxisStroke> strokes;
  std::vector<AxisLabel> labels;
};

/// What labels keep off, such as a legend.
struct PixelRect {
  PixelPoint corner{}, size{};
};

/// Labels do not lie over one another, nor on anything of `taken`: where two axes meet, one number goes farther out, or is left out. The
/// name of an axis says how often it is stretched beside the one that is least.
/// Axes of `bounds` in a picture of width x height pixels whose letters are `em` pixels high, with their names. Nothing where the box
/// is empty, or part of it is behind the eye.
BoxAxes boxAxes(const Bounds& bounds, const scene::Camera& camera, int width, int height, double em,
                std::span<const PixelRect> taken = {},
                const std::array<std::string, 3>& names = {"x", "y", "z"});

/// A bar of a round length, at the depth of what the camera looks at, of at most a fifth of the picture's width. Where axes are
/// stretched it is true along those that lie across the picture, if these are stretched alike.
struct ScaleBar {
  double pixels = 0;  ///< 0: none would be true
  std::string
      text;  ///< its length in data units, and along which axes, if not along all; or why there is none
};
/// Nothing where the camera has no size.
std::optional<ScaleBar> scaleBar(const scene::Camera& camera, double width, double height);

}  // namespace farfield::view
