#pragma once
// Lines as solid things: tubes, ribbons, and tubes with arrow heads. The triangles are made while they are drawn, so lines of any
// length cost a chunk of memory.

#include <array>
#include <memory>
#include <optional>

#include "core/session/kinds/streamlines/streamlines_shape.h"
#include "core/session/results/polylines.h"

namespace farfield::session {

struct LineSurfaceStyle {
  LineForm form = LineForm::Tubes;  ///< neither lines nor particles, but of lineParticles()
  std::optional<int> column = {};   ///< of a vertex, that colours it
  int vector = 0;                   ///< first of three columns: the direction of the line
  double radius = 0;                ///< in the data's length unit
  /// The radius by a column: linear from the least value to the greatest.
  struct ByColumn {
    int column = 0;
    std::array<double, 2> values{}, radii{};
  };
  std::optional<ByColumn> byColumn = {};
  /// Of ribbons: how far the flow has turned about the line since its seed, in radians (TurningSink); none: they do not turn.
  std::optional<int> turned = {};
  double twist = 1;  ///< how far they turn for that
};

/// The radius at a vertex.
double radiusAt(const LineSurfaceStyle& style, const double* vertex);

/// Lines of one vertex are left out. A ribbon lies in the plane of the line and a normal that is carried along and turns about it with the
/// flow. Throws, while it is drawn, what reading the lines throws.
std::shared_ptr<const scene::TriangleGeometry> lineSurfaces(std::shared_ptr<const Polylines> lines,
                                                            const LineSurfaceStyle& style);

}  // namespace farfield::session
