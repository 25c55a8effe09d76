#pragma once
// What the window needs for volumes besides their fields: where their colours are, and quality as one number.

#include <array>
#include <string>

#include "core/session/session.h"
#include "core/session/shown_volume.h"

namespace farfield::app {

/// Of a volume, or what slabs show of one; null for other objects.
session::Volume* volumeIn(session::Object& object);
const session::Volume* volumeIn(const session::Object& object);
/// A volume may have colours in `transfer` and where any object has them. Returns the object with the latter
/// only, which all editors of colours know; other objects unchanged.
session::Object withPlainColors(session::Object object);

/// From fast (0) to exact: first by the size of voxels in pixels, then by samples for each voxel.
constexpr int kQualitySteps = 7, kUsualQuality = 2;
int qualityOf(const session::Volume& volume);
void setQuality(session::Volume& volume, int quality);
/// Whether samples along rays are so far apart that their distance may be seen as stripes, like the grain of wood: opacities change much, or
/// have a peak, within a small part of `range`, the values that there are, and a voxel has less than two.
bool mayShowGrain(const scene::VolumeLook& look, const std::array<double, 2>& range);
/// Whether nearly all `values` that there are of a volume are opaque, so that it is seen as the box that holds them.
bool isAllOpaque(const scene::VolumeLook& look, const scene::VolumeHistogram& values);

}  // namespace farfield::app
