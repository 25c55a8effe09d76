#pragma once
// Arrows: a vector at evenly spaced places of a surface.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/lighting.h"
#include "core/session/json/on_surface.h"
#include "core/session/kinds/kind.h"

namespace farfield::session {

/// How long arrows are drawn.
enum class ArrowLength {
  Auto,   ///< in proportion to the vector, the longest as long as the spacing
  Equal,  ///< all alike, a little shorter than the spacing
  Scaled  ///< so many units of length per unit of the vector
};

struct Arrows {
  static constexpr const char* kType = "arrows";
  static constexpr scene::Lighting kLighting = scene::Lighting::Off;
  OnSurface on = {};
  std::vector<std::string> vector{"velocity"};
  std::optional<double> spacing =
      {};                   ///< in the data's length unit; none: a fortieth of the diagonal of the data
  bool tangential = false;  ///< only the part of the vector along the surface
  ArrowLength length = ArrowLength::Auto;
  double scale = 1;       ///< of ArrowLength::Scaled
  Vec3 stretch{1, 1, 1};  ///< spacing and lengths are of a view whose axes are seen so many times longer
  double widthPixels = 1.5;
  /// Whether the vertices that are drawn are the same, where the places are.
  bool isDrawnLike(const Arrows& other) const { return length == other.length && scale == other.scale; }
  void forgetLooks() {
    length = ArrowLength::Auto;
    scale = 1;
    widthPixels = 1.5;
  }
  bool operator==(const Arrows&) const = default;
};

void readKeys(const detail::View& view, Arrows& out);
void writeKeys(detail::Keys& out, const Arrows& shape);
std::unique_ptr<ObjectRun> makeRun(const Arrows& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
