#pragma once
// A renderer without a display for tests of pictures.

#include <optional>
#include <string>

#include "core/base/error.h"
#include "render/egl/egl_renderer.h"

namespace farfield::test {

/// Base of tests that draw.
class EglPictures {
 protected:
  /// Why there is no renderer; empty: there is.
  std::string begin() {
    try {
      m_renderer.emplace();
      return {};
    } catch (const Unsupported& error) {
      return error.what();
    }
  }
  color::Image render(const scene::Scene& scene, int width = 200, int height = 200) {
    return m_renderer->render(scene, width, height);
  }

  std::optional<egl::EglRenderer> m_renderer;
};

}  // namespace farfield::test
