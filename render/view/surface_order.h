#pragma once
// Of surfaces that lie at one place the one that comes last is seen. Depths are rounded, each surface's in its own way, so shaders put
// those that come earlier a hair behind, each by another part of it (resources/shaders/surface.vert). Shared, so that both back ends
// show the same one.

#include <cstddef>

namespace farfield::view {

/// As the shaders take it.
struct SurfaceOrder {
  float later = 0;     ///< which part of the surfaces that are drawn comes later; less than 1
  float surfaces = 1;  ///< how many are drawn
  bool operator==(const SurfaceOrder&) const = default;
};

/// Of the surface of that number, from 0, among `count` that are drawn.
inline SurfaceOrder surfaceOrder(std::size_t number, std::size_t count) {
  return {static_cast<float>(count - 1 - number) / static_cast<float>(count), static_cast<float>(count)};
}

}  // namespace farfield::view
