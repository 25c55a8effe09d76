#pragma once
// JSON of metadata, which may be anything.

#include <string>

#include <nlohmann/json.hpp>

namespace farfield::zarr {

/// A discarded value (is_discarded()) if `text` is no JSON; what is nested deeper than any metadata is left out, because copying
/// and writing it would take a stack as deep.
inline nlohmann::json parsed(const std::string& text) {
  constexpr int kMostDepth = 64;
  return nlohmann::json::parse(
      text,
      [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) { return depth < kMostDepth; },
      false);
}

/// Empty if there is none.
inline std::string textIn(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace farfield::zarr
