#pragma once
// What the window knows of volumes beside their fields: whose colours are whose, and quality as one number.

#include <string>

#include "core/session/session.h"

namespace farfield::app {

/// The function that a volume shows.
std::string shownFunction(const session::Object& volume);
/// A volume may have its colours twice, in `transfer` and as any object has them. The same object with the latter alone, which
/// everything that edits colours knows; other objects as they are.
session::Object withPlainColors(session::Object object);

/// From quick (0) to exact: first by the size of voxels in pixels, then by samples for each voxel.
constexpr int kQualitySteps = 7, kUsualQuality = 2;
int qualityOf(const session::Volume& volume);
void setQuality(session::Volume& volume, int quality);

}  // namespace farfield::app
