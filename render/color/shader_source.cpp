#include "render/color/shader_source.h"

#include <utility>

#include "core/base/error.h"

namespace farfield::color {
namespace {

constexpr std::pair<std::string_view, std::string_view> kShaders[] = {
#include "shaders.inc"
};

std::string_view fileNamed(std::string_view name) {
  for (const auto& [file, text] : kShaders)
    if (file == name) return text;
  throw NotFound("no shader of this name is built in").at("shader " + std::string(name));
}

}  // namespace

std::string shaderSource(std::string_view name, std::string_view defines) {
  std::string source(fileNamed(name));
  constexpr std::string_view kDirective = "#include \"";
  for (std::size_t at; (at = source.find(kDirective)) != std::string::npos;) {
    const std::size_t begin = at + kDirective.size(), end = source.find('"', begin);
    const std::string file = source.substr(begin, end - begin);
    source.replace(at, end + 1 - at, fileNamed(file));
  }
  if (!defines.empty()) source.insert(source.find('\n') + 1, std::string(defines) + "\n");
  return source;
}

}  // namespace farfield::color
