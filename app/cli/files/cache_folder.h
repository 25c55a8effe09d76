#pragma once
// Where this program keeps what spares it work the next time, and nothing that anybody would miss.

#include <filesystem>
#include <memory>

#include "core/paging/ingest/kept_levels.h"
#include "core/paging/sources/page_folder.h"

namespace farfield::cli {

/// FARFIELD_CACHE_DIR; else "farfield" in XDG_CACHE_HOME or in .cache of the home folder (XDG Base Directory
/// Specification). Empty: nothing is to be kept (FARFIELD_CACHE_DIR is empty, or there is no home folder).
std::filesystem::path cacheFolder();

/// Where pages of other machines are kept, in that folder, up to FARFIELD_CACHE_SIZE (4G without it). Null: nothing is to be
/// kept (the size is 0, or there is no folder).
std::shared_ptr<const paging::PageFolder> pageFolder();

/// Where levels of detail of data that have none are kept, in that folder, up to FARFIELD_LEVELS_SIZE (8G without it). Null:
/// nothing is to be kept.
std::shared_ptr<const paging::KeptLevels> levelFolder();

}  // namespace farfield::cli
