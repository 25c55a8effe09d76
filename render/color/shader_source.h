#pragma once
// The text of the shaders in resources/shaders. Here, where nothing knows of OpenGL, because each back end
// hands it to a different library.

#include <string>
#include <string_view>

namespace farfield::color {

/// The shader file `name` ("line.vert"), its `#include "file"` lines replaced by those files, and `defines`
/// (whole lines) put behind its #version line. Throws NotFound.
std::string shaderSource(std::string_view name, std::string_view defines = {});

}  // namespace farfield::color
