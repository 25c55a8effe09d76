#include "app/cli/files/cache_folder.h"

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

namespace {

/// What the environment variable `name` says, or `usual`.
std::uint64_t sizeFrom(const char* name, std::uint64_t usual) {
  const char* const size = std::getenv(name);
  if (!size) return usual;
  try {
    return parseBytes(size);
  } catch (const Error& error) {
    log::warning(std::string(name) + " is passed over: " + error.what());
    return usual;
  }
}

}  // namespace

std::shared_ptr<const paging::PageFolder> pageFolder() {
  paging::PageFolder::Options options{.folder = cacheFolder()};
  options.mostBytes = sizeFrom("FARFIELD_CACHE_SIZE", options.mostBytes);
  if (options.folder.empty() || options.mostBytes == 0) return nullptr;
  return std::make_shared<const paging::PageFolder>(std::move(options));
}

std::shared_ptr<const paging::KeptLevels> levelFolder() {
  const std::filesystem::path caches = cacheFolder();
  paging::KeptLevels::Options options;
  options.mostBytes = sizeFrom("FARFIELD_LEVELS_SIZE", options.mostBytes);
  if (caches.empty() || options.mostBytes == 0) return nullptr;
  options.folder = caches / "levels";
  return std::make_shared<const paging::KeptLevels>(std::move(options));
}

}  // namespace farfield::cli
