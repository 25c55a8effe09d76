#pragma once
// Sessions as JSON documents. Reading checks everything that can be checked without the data and says what
// is wrong by the path of the key ("objects.lines.integrator.tolerence"); objects are named by their name,
// or by their number where they have none. Unknown keys are reported before anything else, because a key
// that is missing is most often one that was misspelt.
//
// Any bytes are safe to read: a document is bounded in size and in depth before memory is spent on it.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/session.h"

namespace farfield::session {

constexpr std::uint64_t kMaxSessionBytes = std::uint64_t{16} << 20;
constexpr int kMaxSessionDepth = 32;

/// A change of a document before it is read: "objects.lines.seeds.count=100". The path steps into objects by
/// key and into lists by number, or by `name` where the elements have one; what is missing on the way is
/// made. The value is JSON, or else the text itself.
using Override = std::string;

/// Reads the session file at `path`; its folder and name become baseFolder and name. Throws NotFound, Io,
/// Invalid with the place ("file PATH: objects.lines.type").
Session readSession(const std::filesystem::path& path, const std::vector<Override>& overrides = {});
/// The same from text; the caller sets baseFolder and name. Throws Invalid.
Session parseSession(std::string_view text, const std::vector<Override>& overrides = {});
/// The document, indented, with keys in the order of the documentation and without those that have their
/// default. parseSession(toJson(s)) is s, but for the name and the folder, which are not part of it.
std::string toJson(const Session& session);

}  // namespace farfield::session
