#pragma once
// Reading past the system's page cache (O_DIRECT).

#include <filesystem>

namespace farfield::paging {

/// Whether the file can be read past the cache: its first unit is read to find out, since some file systems
/// let a file be opened so and then refuse.
bool offersDirectReads(const std::filesystem::path& path);

}  // namespace farfield::paging
