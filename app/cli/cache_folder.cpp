#include "app/cli/cache_folder.h"

#include <cstdlib>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/units.h"

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

std::shared_ptr<const paging::PageFolder> pageFolder() {
  paging::PageFolder::Options options{.folder = cacheFolder()};
  if (const char* const size = std::getenv("FARFIELD_CACHE_SIZE")) {
    try {
      options.mostBytes = parseBytes(size);
    } catch (const Error& error) {
      log::warning(std::string("FARFIELD_CACHE_SIZE is passed over: ") + error.what());
    }
  }
  if (options.folder.empty() || options.mostBytes == 0) return nullptr;
  return std::make_shared<const paging::PageFolder>(std::move(options));
}

}  // namespace farfield::cli
