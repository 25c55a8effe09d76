#pragma once
// Sessions as JSON documents. Reading checks everything that can be checked without the data and reports the
// path of the key ("objects.lines.integrator.tolerence"); objects appear by name, or by number if they have
// none. Unknown keys are reported first, because a missing key is usually a misspelt one.
//
// Any bytes are safe to read: size and depth are limited before memory is used.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/session.h"

namespace farfield::session {

constexpr std::uint64_t kMaxSessionBytes = std::uint64_t{16} << 20;
constexpr int kMaxSessionDepth = 32;

/// A change of a document before it is read: "objects.lines.seeds.count=100". The path steps into objects by
/// key and into lists by number, or by `name` if the elements have one; missing parts are created. The value
/// is JSON, or else the text itself.
using Override = std::string;

/// Reads the session file at `path`; its folder and name become baseFolder and name. Throws NotFound, Io,
/// Invalid with the place ("file PATH: objects.lines.type").
Session readSession(const std::filesystem::path& path, const std::vector<Override>& overrides = {});
/// The same from text; the caller sets baseFolder and name. Throws Invalid.
Session parseSession(std::string_view text, const std::vector<Override>& overrides = {});
/// What can be had of a text that is not all good: names that cannot be are made fit, other values that are wrong are left out, and what
/// cannot be without them as well; of each `leftOut` gets a line, "objects.lines.color.range: must ascend". Throws Invalid where nothing
/// can be had, as of what is no JSON or of a later version.
Session parseGoodParts(std::string_view text, std::vector<std::string>& leftOut);
/// The document, indented, with keys in the order of the documentation, without keys that have their default.
/// parseSession(toJson(s)) equals s, except for the name and the folder, which are not part of it.
std::string toJson(const Session& session);

}  // namespace farfield::session
