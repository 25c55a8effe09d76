#pragma once
// The one kind of OpenGL that the shaders are written for, for surfaces and contexts alike.

#include <QSurfaceFormat>

namespace farfield::qt3d {

/// OpenGL 3.3 core.
QSurfaceFormat surfaceFormat();

}  // namespace farfield::qt3d
