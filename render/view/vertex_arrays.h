#pragma once
// A scene item's geometry for OpenGL: floats around a middle, positions on the colour map, indices. Shared,
// so that both back ends leave out the same damaged vertices and join lines alike.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::view {

/// From data coordinates to floats. The large part is subtracted in double precision, so that a model far
/// from the origin, or of nanometres, does not jitter.
struct LocalFrame {
  Vec3 center;
  double factor = 1;
  std::array<float, 3> local(double x, double y, double z) const {
    return {static_cast<float>((x - center.x) * factor), static_cast<float>((y - center.y) * factor),
            static_cast<float>((z - center.z) * factor)};
  }
  Vec3 global(const std::array<float, 3>& p) const { return center + (1 / factor) * Vec3{p[0], p[1], p[2]}; }
};

/// Places on the colour map (0 to 1) that are farther outside are kept so far away: float must not overflow.
constexpr double kFarthestPlace = 1e6;
/// Separates one strip of lines from the next.
constexpr std::uint32_t kRestart = 0xFFFFFFFF;

constexpr float kNoTexture = -1;

struct Vertex {
  std::array<float, 3> position;
  std::array<float, 2> scalar;  ///< position on the map; 1 if it is a number, else 0
  /// Of lines: scene::LineChunk::phases. Of triangles: how light their texture is; kNoTexture if they have none.
  float phase = 0;
};

/// Made from one chunk of geometry.
struct VertexArrays {
  std::vector<Vertex> vertices;
  std::vector<std::array<float, 3>> normals;  ///< one per vertex; for lines that have none: none
  std::vector<std::array<float, 2>> waves;    ///< of a texture, one per vertex; or none
  std::vector<float> radii;                   ///< of particles, one per vertex, in the frame's unit; or none
  /// Lines: strips with adjacency (vertices a b ... z as a a b ... z z), kRestart after each. Triangles:
  /// three each. Vertices that are not finite are not used, nor are triangles with one.
  std::vector<std::uint32_t> indices;

  /// Replaces the contents. Throws Invalid for an inconsistent chunk.
  void set(const scene::LineChunk& chunk, const scene::SceneItem& item, const LocalFrame& frame);
  void set(const scene::TriangleChunk& chunk, const scene::SceneItem& item, const LocalFrame& frame);

 private:
  void setNormals(std::span<const double> from);
  void setVertices(std::span<const double> points, std::span<const double> scalars,
                   const scene::SceneItem& item, const LocalFrame& frame);
};

/// Throws Invalid if a slab's parts are inconsistent, or points are not finite.
void checkSlab(const scene::Slab& slab);

/// Whether `item` is transparent anywhere.
bool isTransparent(const scene::SceneItem& item);

}  // namespace farfield::view
