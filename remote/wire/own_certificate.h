#pragma once
// The certificate that a server makes for itself where its user gives none, kept for its next start.

#include <filesystem>
#include <string>
#include <utility>

namespace farfield::remote {

/// Certificate and key of the server `name` ("pagerd"), made on its first start, in STATE_DIRECTORY or the user's folder for
/// such things. Throws Invalid (there is no such folder), Io.
std::pair<std::filesystem::path, std::filesystem::path> ownCertificate(const std::string& name);

}  // namespace farfield::remote
