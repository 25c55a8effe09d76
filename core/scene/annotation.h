#pragma once
// What is written into a picture besides what it shows: how legends look, texts, a bar of known length, axes, and
// what is known at places of the data.
// Places are parts of the picture's width and height that a box leaves free: (0, 0) is the upper left corner, (1, 1)
// the lower right one, and nothing is ever cut off.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::scene {

/// Of the legend of one function.
struct LegendLook {
  bool visible = true;
  std::string title = {};                           ///< empty: the function
  std::optional<std::array<double, 2>> place = {};  ///< none: on the right, below one another
  double size = 1;                                  ///< of bar and letters, beside the usual one
  int digits = 0;  ///< significant ones of the numbers; 0: as many as tell them apart
  int labels = 0;  ///< about so many numbers between the ends; 0: as many as there is room for
  bool operator==(const LegendLook&) const = default;
};
constexpr double kLeastLegendSize = 0.3, kMostLegendSize = 4;
constexpr int kMostLegendDigits = 12, kMostLegendLabels = 24;

struct TextNote {
  std::string text;
  std::array<double, 2> place{0.5, 0.96};
  double size = 1;  ///< of the letters, beside those of legends
  bool operator==(const TextNote&) const = default;
};

/// A place in the data, in their coordinates, and what is known there.
struct PlaceMark {
  Vec3 place;
  std::string name;
  bool found = false;  ///< false: it lies outside of the data
  /// By functions, one number or the three of a vector each.
  std::vector<std::pair<std::string, std::vector<double>>> values = {};
  bool operator==(const PlaceMark&) const = default;
};

/// How such places are shown.
struct MarkLook {
  bool texts = true;  ///< the values beside the marker
  double size = 1;    ///< of marker and letters, beside those of legends
  bool operator==(const MarkLook&) const = default;
};

struct Annotations {
  std::vector<TextNote> texts = {};
  bool scaleBar = false;  ///< a bar of a round length, at the depth of what the camera looks at
  bool axes = false;      ///< edges of the bounds, with numbers
  std::array<std::string, 3> axisNames{"x", "y", "z"};  ///< on them, as the data say
  bool orientation = false;                             ///< the directions x, y, z in a corner
  bool operator==(const Annotations&) const = default;
};

}  // namespace farfield::scene
