#pragma once
// Where this program keeps what spares it work the next time, and nothing that anybody would miss.

#include <filesystem>

namespace farfield::cli {

/// FARFIELD_CACHE_DIR; else "farfield" in XDG_CACHE_HOME or in .cache of the home folder (XDG Base Directory
/// Specification). Empty: nothing is to be kept (FARFIELD_CACHE_DIR is empty, or there is no home folder).
std::filesystem::path cacheFolder();

}  // namespace farfield::cli
