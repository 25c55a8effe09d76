#pragma once
// Sends the rays of a tile: where each enters and leaves what is to be seen of the volume, and which samples it takes.

#include <span>
#include <vector>

#include "render/volume/brick.h"
#include "render/volume/ray_camera.h"
#include "render/volume/ray_tile.h"

namespace farfield::volume {

/// What is the same for all rays.
struct Aim {
  Aim(const BrickGrid& grid, const scene::VolumeLook& look, const RayCamera& camera, double stepLength);

  const BrickGrid& grid;
  const RayCamera& camera;
  Bounds box;  ///< of the volume, clipped
  std::vector<scene::ClipPlane> planes;
  double stepLength;
};

/// Rays of the pixels of `pixels`, which are at most kTileSide along each side; others of the tile see nothing. `from`, `to`: one per
/// pixel of whole rows, the first row being `firstRow`, or empty. Returns whether any ray sees anything.
bool aimTile(const Aim& aim, const PixelBox& pixels, int firstRow, std::span<const float> from,
             std::span<const float> to, RayTile& tile);

}  // namespace farfield::volume
