#pragma once
// The text of a session as a JSON tree, before its meaning is known: parsed within limits, and changed by
// overrides. Internal to core/session.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace farfield::session::detail {

/// Keeps the keys in the order they were written.
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxKeysPerObject = 1'000;
constexpr std::size_t kMaxValues = 2'000'000;

/// Throws Invalid ("line 3, column 7: …") for text that is not JSON, too deep or too large, or has a key
/// twice.
Json parseDocument(std::string_view text);

/// Applies "path=value"; see Override. Throws Invalid with the path.
void applyOverride(Json& document, const std::string& change);

/// `value` for an error message: short, on one line.
std::string shown(const Json& value);

}  // namespace farfield::session::detail
