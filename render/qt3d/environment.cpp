#include <QSurfaceFormat>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "render/qt3d/surface_format.h"
#include "render/qt3d/viewport.h"

namespace farfield::qt3d {

QSurfaceFormat surfaceFormat() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 3);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setSamples(0);  // smooth edges are made in targets of our own
  format.setDepthBufferSize(24);
  return format;
}

void prepareEnvironment() {
#ifdef __GLIBC__
  // Geometry comes and goes in blocks of megabytes. By default the allocator starts to keep such blocks once
  // some were freed: after ten minutes of work the window used a third more memory.
  constexpr int kReturned = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kReturned);
#endif
  qputenv("QT3D_RENDERER", "opengl");
  // Qt 3D makes its contexts with the default format
  QSurfaceFormat::setDefaultFormat(surfaceFormat());
}

}  // namespace farfield::qt3d
