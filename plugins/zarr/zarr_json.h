#pragma once
// JSON of metadata, which may be anything.

#include <string>

#include <nlohmann/json.hpp>

namespace farfield::zarr {

/// `text` with a null in place of what is nested deeper than any metadata, because copying and writing it would take a stack as deep.
inline std::string withoutDeep(const std::string& text) {
  constexpr int kMostDepth = 64;
  std::string kept;
  int depth = 0;
  bool inText = false;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const char letter = text[n];
    const bool isDeep = depth > kMostDepth;
    if (inText && letter == '\\' && n + 1 < text.size()) {
      if (!isDeep) kept.append(text, n, 2);
      ++n;
      continue;
    }
    if (letter == '"') inText = !inText;
    const bool opens = !inText && (letter == '[' || letter == '{'),
               closes = !inText && (letter == ']' || letter == '}');
    if (opens && ++depth == kMostDepth + 1) kept += "null";
    if (depth <= kMostDepth) kept += letter;
    if (closes) --depth;
  }
  return kept;
}

/// A discarded value (is_discarded()) if `text` is no JSON. Without the library's own way to leave parts out, which goes through all
/// members of an object at each of them.
inline nlohmann::json parsed(const std::string& text) {
  return nlohmann::json::parse(withoutDeep(text), nullptr, false);
}

/// Empty if there is none.
inline std::string textIn(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace farfield::zarr
