#pragma once
// A scene item ready to be drawn: made by the loading thread, used by the drawing thread and the search under
// the cursor. Immutable, so all of them may hold it at the same time.

#include <QByteArray>
#include <memory>
#include <vector>

#include "core/scene/scene.h"
#include "render/view/pick_index.h"
#include "render/view/vertex_arrays.h"

namespace farfield::qt3d {

/// A run of indices that is drawn at once. Software drivers keep twenty times the size of what they draw at
/// once, so lines come in many parts. The first half of the parts is an even half of the lines, and so on,
/// for pictures that must be quick.
struct Part {
  std::size_t firstIndex = 0, indexCount = 0;
};

struct PreparedItem {
  view::PickIndex::Kind kind = view::PickIndex::Kind::Lines;
  QByteArray vertices;  ///< view::Vertex
  QByteArray normals;   ///< 3 floats each; or empty
  QByteArray waves;     ///< 2 floats each, of triangles with a texture; or empty
  QByteArray radii;     ///< a float each, of lines that are particles; or empty
  QByteArray indices;   ///< 32-bit
  view::LocalFrame frame;
  std::vector<Part> parts;
  bool inTriangles = false;  ///< scene::SceneItem::inTriangles
  std::shared_ptr<const view::PickIndex> pick;
  /// The fraction of the lines or triangles that is held; less than 1 if all would not fit into the limit.
  double heldPart = 1;

  bool isParticles() const { return !radii.isEmpty(); }
  std::size_t vertexCount() const { return std::size_t(vertices.size()) / sizeof(view::Vertex); }
  std::size_t bytes() const {
    return std::size_t(vertices.size() + normals.size() + waves.size() + radii.size() + indices.size()) +
           (pick ? pick->bytes() : 0);
  }
};
using PreparedItemPtr = std::shared_ptr<const PreparedItem>;

/// Everything of a scene item but its geometry: can change without loading it again.
struct Look {
  bool colored = false, visible = true, dashed = false;
  scene::Lighting lighting = scene::Lighting::Soft;
  scene::MapChoice map = {};
  scene::Rgba color{}, nanColor{};
  scene::Rgba belowColor{0, 0, 0, -1}, aboveColor{0, 0, 0, -1};  ///< alpha < 0: as at the ends of the range
  /// From the places of the vertices on the map to those on the present one.
  float placeFactor = 1, placeOffset = 0;
  double opacity = 1, widthPixels = 1.5;
  bool bandLines = false;  ///< between the bands of the map
  bool clipped = true;
  bool operator==(const Look&) const = default;
};
Look lookOf(const scene::SceneItem& item);

}  // namespace farfield::qt3d
