#pragma once
// The neutral scene: what a session yields and what the render back ends draw. It knows nothing of OpenGL or
// Qt. Geometry can be larger than memory, so an item hands out its vertices in chunks, on demand, each time
// it is drawn; everything else is small.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/annotation.h"
#include "core/scene/camera.h"
#include "core/scene/clip.h"
#include "core/scene/color_choice.h"
#include "core/scene/lighting.h"
#include "core/scene/slabs.h"
#include "core/scene/volume.h"

namespace farfield::scene {

/// Red, green, blue, alpha; 0 … 1, sRGB values.
using Rgba = std::array<float, 4>;

/// A run of polylines. Spans are valid only during the visit.
struct LineChunk {
  std::span<const double> points;          ///< 3 per vertex, in data coordinates
  std::span<const double> scalars;         ///< 1 per vertex, or empty
  std::span<const std::uint32_t> lengths;  ///< vertices of each polyline, in order; they sum to the vertices.
      ///< A polyline longer than a chunk goes on in the next with its last vertex repeated.
  std::span<const double> phases = {};  ///< 1 per vertex: number of dashes from some place on; or empty
  /// Of particles (SceneItem::particles), or empty. 1 per vertex: radius of a sphere there, in data coordinates. What a line
  /// goes on with is then told by phases up to whole numbers, and they differ by less than 1 from vertex to vertex.
  std::span<const double> radii = {};
  /// Of lines on a surface, or empty, in all chunks alike. 3 per vertex: upright on the surface, to the side from which it is meant
  /// to be seen; (0, 0, 0) where that is not known. They tell how little suffices to raise a line out of it, so that it is not seen
  /// through what is thin.
  std::span<const double> normals = {};
};

/// A run of triangles. Spans are valid only during the visit.
struct TriangleChunk {
  std::span<const double> points;  ///< 3 per vertex
  /// 3 per vertex, unit length. Where two surfaces lie at one place, the one whose normals point to the eye is
  /// seen.
  std::span<const double> normals;
  std::span<const double> scalars;           ///< 1 per vertex, or empty
  std::span<const std::uint32_t> triangles;  ///< 3 vertex numbers each, into this chunk
  /// Of a texture, or empty. 3 per vertex: from 0, darker, to 1, lighter than the colour; and the parts of a wave in it,
  /// which turned by the angle a is the first times cos a, less the second times sin a (SceneItem::dashed).
  /// What has a texture is seen on a surface at the same place.
  std::span<const double> shades = {};
  /// The data end here: the normals point into their cells.
  bool isBorder = false;
};

/// Geometry that is drawn chunk by chunk (at most 65,536 vertices each). Not thread-safe.
class LineGeometry {
 public:
  virtual ~LineGeometry() = default;
  virtual void visit(const std::function<void(const LineChunk&)>& draw) const = 0;
};
class TriangleGeometry {
 public:
  virtual ~TriangleGeometry() = default;
  virtual void visit(const std::function<void(const TriangleChunk&)>& draw) const = 0;
};

/// Maps scalars to colours; also what the legend shows.
struct ColorScale {
  std::string title;  ///< "pressure"; empty: no legend
  MapChoice map = {};
  double min = 0, max = 1;
  bool logarithmic = false;  ///< min > 0
  /// Logarithmic, and there are values of 0 and less, or a few far below all others: they are shown as values below the range.
  bool reachesDown = false;
  bool hasValues = true;  ///< false: there is none to show, and the range is any
  Rgba nanColor{0.6f, 0.6f, 0.6f, 1};
  /// Of values below and above the range; none: the colours at its ends.
  std::optional<Rgba> below = {}, above = {};
  bool bandLines = false;  ///< on surfaces a line between each two bands of the map
  LegendLook legend = {};
};

struct SceneItem {
  std::string name;
  // at most one of these is set; none for an object without results yet
  std::shared_ptr<const LineGeometry> lines;
  std::shared_ptr<const TriangleGeometry> triangles;
  std::shared_ptr<const VolumeGeometry> volume;
  std::shared_ptr<const SlabGeometry> slabs;
  VolumeLook volumeLook;  ///< of a volume, besides `scale`
  bool colored = false;   ///< by `scale`; otherwise in `color`
  ColorScale scale;
  Rgba color{0.2f, 0.2f, 0.2f, 1};
  double opacity = 1;
  double widthPixels = 1.5;  ///< of lines
  bool dashed = false;       ///< lines by their phases; of particles and textures: they move
  /// Lines are not seen, but a sphere wherever the phase is a whole number.
  bool particles = false;
  /// Its lines have normals, and lie in the triangles of their surface; else they are only near these, as straight arrows are.
  bool inTriangles = false;
  Lighting lighting = Lighting::Soft;  ///< lines are lit as tubes
  /// Drawn over its triangles, in the colour of lines on surfaces: the edges of cells. Or none.
  std::shared_ptr<const LineGeometry> edges = {};
  bool clipped = true;  ///< by Scene::clip
  /// Written over the picture, each at its place, in `color`.
  std::vector<PlaceMark> marks = {};
  MarkLook markLook = {};
};

struct Scene {
  std::vector<SceneItem> items;
  Camera camera;
  Bounds bounds;  ///< of everything in it; near and far planes follow from it
  Rgba background{1, 1, 1, 1};
  std::string title;  ///< drawn at the top; may be empty ("step 42, t = 3.2")
  Annotations notes = {};
  Clip clip = {};
  /// How far what is dashed has moved on, in dashes; a texture by so many waves.
  double phase = 0;
};

/// The looks of a volume that is cut by `clip` as well.
inline VolumeLook clippedLook(const SceneItem& item, const Clip& clip) {
  VolumeLook look = item.volumeLook;
  if (!item.clipped) return look;
  const std::vector<ClipPlane> more = allPlanes(clip);
  look.clipPlanes.insert(look.clipPlanes.end(), more.begin(), more.end());
  return look;
}

/// The edges of an item as an item of lines. It must have some.
inline SceneItem edgesOf(const SceneItem& item) {
  SceneItem made;
  made.name = item.name;
  made.lines = item.edges;
  made.color = {0.13f, 0.14f, 0.16f, 1};
  made.opacity = item.opacity;
  made.widthPixels = 1;
  made.inTriangles = true;
  made.lighting = Lighting::Off;
  made.clipped = item.clipped;
  return made;
}

}  // namespace farfield::scene
