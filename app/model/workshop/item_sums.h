#pragma once
// What is told of an object by its geometry as it is drawn: how large it is, and how the values that colour it are
// spread over it, by area or by length.

#include <limits>
#include <optional>

#include "app/model/workshop/value_histogram.h"
#include "core/scene/scene.h"

namespace farfield::app {

/// Of surfaces their triangles, which are flat, with a function that is linear on each, as farfield integrate has it for
/// slices; of lines their pieces.
struct ItemSums {
  bool isSurface = false;
  double size = 0;        ///< area, or length of the lines
  Vec3 vectorArea;        ///< of n dA; of surfaces, out of the data where these end
  double valued = 0;      ///< of `size`, where there are values
  double integral = 0;    ///< of the function, over it
  Vec3 through;           ///< of f n dA; of surfaces
  ValueHistogram values;  ///< weighted by size, as the function is linear on each piece
  double least = std::numeric_limits<
      double>::infinity();  ///< at vertices; greater than `greatest` where there are no values
  double greatest = -std::numeric_limits<double>::infinity();
};

/// Reads all of its geometry, which takes a while: not for the thread of the user interface. None for items without lines
/// or triangles. Throws what reading throws.
std::optional<ItemSums> sumsOf(const scene::SceneItem& item);

}  // namespace farfield::app
