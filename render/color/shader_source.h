#pragma once
// The text of the shaders in resources/shaders, for the OpenGL libraries of both back ends.

#include <string>
#include <string_view>

namespace farfield::color {

/// The shader file `name` ("line.vert"), with its `#include "file"` lines replaced by those files, and
/// `defines` (whole lines) inserted after its #version line. Throws NotFound.
std::string shaderSource(std::string_view name, std::string_view defines = {});

}  // namespace farfield::color
