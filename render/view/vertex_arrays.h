#pragma once
// A scene item's geometry as OpenGL wants it: floats around a middle, places on the colour map, indices. One
// place for it, so that both back ends leave out the same damaged vertices and join lines alike.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::view {

/// From data coordinates to floats. The large part of the way is gone in double precision, so that a model
/// far from the origin, or of nanometres, does not jitter.
struct LocalFrame {
  Vec3 center;
  double factor = 1;
  std::array<float, 3> local(double x, double y, double z) const {
    return {static_cast<float>((x - center.x) * factor), static_cast<float>((y - center.y) * factor),
            static_cast<float>((z - center.z) * factor)};
  }
  Vec3 global(const std::array<float, 3>& p) const { return center + (1 / factor) * Vec3{p[0], p[1], p[2]}; }
};

/// What lies between one strip of lines and the next.
constexpr std::uint32_t kRestart = 0xFFFFFFFF;

struct Vertex {
  std::array<float, 3> position;
  std::array<float, 2> scalar;  ///< place on the map; 1 where it is a number, 0 where not
};

/// Of one chunk of geometry.
struct VertexArrays {
  std::vector<Vertex> vertices;
  std::vector<std::array<float, 3>> normals;  ///< one per vertex for triangles, none for lines
  /// Lines: strips with adjacency (vertices a b ... z as a a b ... z z), kRestart after each. Triangles:
  /// three each. Vertices that are not finite are not named, nor are triangles that have one.
  std::vector<std::uint32_t> indices;

  /// Replaces the contents. Throws Invalid for a chunk that contradicts itself.
  void set(const scene::LineChunk& chunk, const scene::SceneItem& item, const LocalFrame& frame);
  void set(const scene::TriangleChunk& chunk, const scene::SceneItem& item, const LocalFrame& frame);

 private:
  void setVertices(std::span<const double> points, std::span<const double> scalars,
                   const scene::SceneItem& item, const LocalFrame& frame);
};

/// Throws Invalid where a slab's parts do not go together, or points are not finite.
void checkSlab(const scene::Slab& slab);

/// Whether something behind can be seen through some part of `item`.
bool isTransparent(const scene::SceneItem& item);

}  // namespace farfield::view
