#pragma once
// Draws the items of a scene with the current OpenGL context: takes the geometry chunk by chunk, converts it
// to floats around the middle of the scene, uploads, draws, and frees it. So its memory does not depend on
// how much there is to draw.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/scene/scene.h"
#include "render/egl/chunk_rows.h"
#include "render/egl/gl_objects.h"
#include "render/view/surface_order.h"
#include "render/view/vertex_arrays.h"
#include "render/view/view_transform.h"

namespace farfield::egl {

using view::ViewTransform;

/// How fragments are told apart when transparent items are drawn in layers; see peel.glsl.
enum class Peel { Off = 0, PerPixel = 1, PerSample = 2 };

/// The rows of the picture that are being drawn.
struct Band {
  int width = 0, firstRow = 0, rows = 0;
};

/// Must be used and destroyed with its context current.
class ItemDrawer {
 public:
  ItemDrawer();

  /// A new picture of so many pixels, drawn band by band: what is found out about the chunks of one ends with it.
  void startPicture(const ViewTransform& view, int width, int height);
  /// What is cut away of the items that follow, but for those that are not clipped.
  void setClip(const view::ClipUniforms& clip) { m_clip = clip; }
  /// All items of the scene, which stay where they are while they are drawn: of surfaces at one place the later is seen.
  void setOrder(const std::vector<scene::SceneItem>& items);
  /// How far what is dashed has moved on (scene::Scene::phase).
  void setPhase(double phase) { m_phase = phase; }
  /// Draws the part of `item` in `band`. With peeling, texture unit 1 holds the depths of the layer drawn
  /// last. What does not touch the band, or of it the open `tiles`, is passed over. startPicture() comes first. Throws Invalid for an inconsistent chunk, Cancelled between chunks where the
  /// calling thread's waits are stopped, and what the geometry throws.
  void draw(const scene::SceneItem& item, const ViewTransform& view, const Band& band, Peel peel,
            const OpenTiles* tiles = nullptr);

 private:
  enum class Part { Lines, Particles, Triangles, Slabs };
  const Program& program(Part part, Peel peel, bool deep);
  void setUniforms(const Program& program, const scene::SceneItem& item, const ViewTransform& view,
                   const Band& band);
  GLuint mapTexture(const scene::MapChoice& choice);
  void drawLines(const scene::LineChunk& chunk, const scene::SceneItem& item, const ViewTransform& view,
                 const TouchedRows& rows);
  void drawTriangles(const scene::TriangleChunk& chunk, const scene::SceneItem& item,
                     const ViewTransform& view, const TouchedRows& rows);
  void drawSlab(const scene::Slab& slab, const Program& program, const ViewTransform& view);
  GLuint pictureTexture(const std::shared_ptr<const scene::SlabImage>& image);
  void upload();
  void limitInFlight(std::size_t indices);

  std::map<std::tuple<Part, Peel, bool>, Program> m_programs;
  std::map<scene::MapChoice, GlTexture> m_maps;
  /// Pictures of slabs that still exist, kept from one layer and band to the next.
  struct Picture {
    std::weak_ptr<const scene::SlabImage> image;
    GlTexture texture;
  };
  std::vector<Picture> m_pictures;
  GlVertexArray m_array;
  GlBuffer m_vertexBuffer, m_normalBuffer, m_radiusBuffer, m_indexBuffer;
  view::ClipUniforms m_clip{};
  std::map<const scene::SceneItem*, view::SurfaceOrder> m_orders;
  double m_phase = 0;
  std::optional<ChunkRows> m_rows;    ///< of the picture
  view::VertexArrays m_arrays;        // of the current chunk
  std::size_t m_indicesInFlight = 0;  // drawn since the last wait for the driver
};

}  // namespace farfield::egl
