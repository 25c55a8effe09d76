// The program: hands the readers and the renderer to the command line.

#include <memory>
#include <string>
#include <vector>

#include "app/cli/program.h"
#include "core/fields/samples/sample_data.h"
#include "core/fields/store_data.h"
#include "plugins/plot3d/plot3d_data.h"
#ifdef FARFIELD_EGL
#include "render/color/color_map.h"
#include "render/color/png_writer.h"
#include "render/egl/egl_renderer.h"
#endif

int main(int count, char** words) {
  using namespace farfield;
  cli::Environment environment;
  environment.readers.add(std::make_unique<samples::SampleDataReader>());
  environment.readers.add(std::make_unique<fields::StoreDataReader>());
  environment.readers.add(std::make_unique<plot3d::Plot3dDataReader>());
#ifdef FARFIELD_EGL
  environment.colorMaps = color::mapNames();
  // Made with the first picture, because a context takes time and memory that other commands do not need.
  environment.drawImage = [renderer = std::shared_ptr<egl::EglRenderer>()](
                              const session::Scene& scene, std::array<int, 2> size,
                              const std::filesystem::path& path) mutable {
    if (!renderer) renderer = std::make_shared<egl::EglRenderer>();
    color::writePng(renderer->render(scene, size[0], size[1]), path);
  };
#endif
  return cli::runProgram({words + (count > 0 ? 1 : 0), words + count}, environment);
}
