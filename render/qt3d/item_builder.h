#pragma once
// Collects the chunks of one item into arrays that can be drawn. Used by the loading thread; separate so that
// it can be tested by itself.

#include <functional>

#include "render/qt3d/prepared_item.h"

namespace farfield::qt3d {

struct BuildLimits {
  std::size_t bytes = std::size_t(384) << 20;  ///< vertices and indices of one item
};

/// Visits the geometry of `item` once. `keepOn` is asked before every chunk; Cancelled is thrown when it
/// returns false. Lines beyond the limit are thinned evenly: of every two neighbours one is removed, as often
/// as needed. A surface beyond it is simplified (held_triangles.h). Throws Invalid for damaged chunks, and what the geometry
/// throws.
PreparedItemPtr buildItem(const scene::SceneItem& item, const BuildLimits& limits,
                          const std::function<bool()>& keepOn);

}  // namespace farfield::qt3d
