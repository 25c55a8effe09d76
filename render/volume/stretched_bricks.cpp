#include "render/volume/stretched_bricks.h"

namespace farfield::volume {

BrickGrid stretched(const BrickGrid& grid, Vec3 stretch) {
  BrickGrid made = grid;
  made.origin = scene::stretched(grid.origin, stretch);
  made.spacing = scene::stretched(grid.spacing, stretch);
  for (int axis = 0; axis < 3; ++axis)
    for (double& coordinate : made.axes[static_cast<std::size_t>(axis)]) coordinate *= stretch[axis];
  return made;
}

scene::VolumeLook stretched(const scene::VolumeLook& look, Vec3 stretch) {
  scene::VolumeLook made = look;
  if (made.clipBox)
    for (Vec3& corner : *made.clipBox) corner = scene::stretched(corner, stretch);
  for (scene::ClipPlane& plane : made.clipPlanes) {
    plane.origin = scene::stretched(plane.origin, stretch);
    plane.normal = scene::unstretched(plane.normal, stretch);
  }
  return made;
}

void StretchedBricks::setStretch(Vec3 stretch) {
  if (stretch == m_stretch) return;
  m_grid = stretched(m_of.grid(), stretch);
  m_stretch = stretch;
}

}  // namespace farfield::volume
