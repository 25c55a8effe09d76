#pragma once
// Reading past the system's page cache (O_DIRECT).

#include <filesystem>

namespace farfield::paging {

/// Whether the file can be read past the system's cache. Tries it on the first unit, since some file systems
/// allow opening and then refuse to read.
bool offersDirectReads(const std::filesystem::path& path);

}  // namespace farfield::paging
