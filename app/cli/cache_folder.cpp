#include "app/cli/cache_folder.h"

#include <cstdlib>

namespace farfield::cli {

std::filesystem::path cacheFolder() {
  if (const char* const own = std::getenv("FARFIELD_CACHE_DIR")) return own;
  // The specification has relative paths ignored.
  if (const char* const caches = std::getenv("XDG_CACHE_HOME"); caches && caches[0] == '/')
    return std::filesystem::path(caches) / "farfield";
  if (const char* const home = std::getenv("HOME"); home && home[0] == '/')
    return std::filesystem::path(home) / ".cache" / "farfield";
  return {};
}

}  // namespace farfield::cli
