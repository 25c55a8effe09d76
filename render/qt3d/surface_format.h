#pragma once
// The OpenGL version that the shaders are written for, for surfaces and contexts.

#include <QSurfaceFormat>

namespace farfield::qt3d {

/// OpenGL 3.3 core.
QSurfaceFormat surfaceFormat();

}  // namespace farfield::qt3d
