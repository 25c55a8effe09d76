#pragma once
// Prepares the rays of a tile: where each enters and leaves the visible part of the volume, and which samples
// it takes.

#include <span>
#include <vector>

#include "render/volume/brick.h"
#include "render/volume/ray_camera.h"
#include "render/volume/ray_tile.h"

namespace farfield::volume {

/// The same for all rays.
struct Aim {
  Aim(const BrickGrid& grid, const scene::VolumeLook& look, const RayCamera& camera, double stepLength);

  const BrickGrid& grid;
  const RayCamera& camera;
  Bounds box;  ///< of the volume, clipped
  std::vector<scene::ClipPlane> planes;
  double stepLength;
};

/// Rays of the pixels of `pixels`, at most kTileSide along each side; others of the tile take no samples.
/// `from`, `to`: one per pixel of whole rows, starting at row `firstRow`, or empty. Returns whether any ray
/// takes samples.
bool aimTile(const Aim& aim, const PixelBox& pixels, int firstRow, std::span<const float> from,
             std::span<const float> to, RayTile& tile);

}  // namespace farfield::volume
