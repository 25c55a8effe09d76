#pragma once
// Paths without ".", ".." and a slash at their end, so that they can be compared and shown. ".." behind a link leads to the folder that holds what the link leads
// to, as the system has it, and not back to the one that holds the link.

#include <filesystem>

namespace farfield {

/// Asks the system about what stands before each ".."; where that is not there, or cannot be asked about, ".." takes back the name before
/// it. Any other link keeps its name. Relative paths stay relative, unless a link leads elsewhere. Throws nothing of the system's.
std::filesystem::path followedPath(const std::filesystem::path& path);

}  // namespace farfield
