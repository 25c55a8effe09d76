#pragma once
// Finds what lies under the cursor: a search over the drawn vertices, in groups with boxes around them, so
// that it costs little however much is shown, and needs neither a graphics driver nor its thread.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "render/view/screen_map.h"
#include "render/view/vertex_arrays.h"

namespace farfield::view {

struct PickHit {
  Vec3 place;        ///< in data coordinates
  double depth = 0;  ///< in front of the eye, as ScreenMap::depth()
};

/// Over arrays of VertexArrays. Immutable; thread-safe.
class PickIndex {
 public:
  enum class Kind { Lines, Triangles };
  /// The spans must not change while `owner` lives; it is kept.
  PickIndex(Kind kind, std::span<const Vertex> vertices, std::span<const std::uint32_t> indices,
            const LocalFrame& frame, std::shared_ptr<const void> owner);

  /// The frontmost point at a pixel: of lines, within `reach` pixels of it; of triangles, exactly at it. What `cut` does not
  /// keep is not there.
  std::optional<PickHit> pick(const ScreenMap& map, ScreenPoint pixel, double reach,
                              const std::vector<scene::ClipPlane>& cut = {}) const;

  /// Of all drawn vertices; empty if there are none.
  const Bounds& bounds() const { return m_bounds; }
  Kind kind() const { return m_kind; }
  std::size_t bytes() const;

 private:
  struct Box {
    std::array<float, 3> min, max;
  };
  struct Finder;
  void search(Finder& finder) const;
  void pickSegments(Finder& finder, std::size_t begin, std::size_t end) const;
  void pickTriangles(Finder& finder, std::size_t begin, std::size_t end) const;
  Box boxOf(std::size_t begin, std::size_t end) const;

  Kind m_kind;
  std::span<const Vertex> m_vertices;
  std::span<const std::uint32_t> m_indices;
  LocalFrame m_frame;
  std::shared_ptr<const void> m_owner;
  std::vector<Box> m_groups, m_crowds;  // of kGroup indices, of kCrowd groups
  Bounds m_bounds;
};

}  // namespace farfield::view
