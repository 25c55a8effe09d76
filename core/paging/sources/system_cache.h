#pragma once
// What is known of the system's page cache and of reading past it (O_DIRECT): when a source had better do so.

#include <cstdint>
#include <filesystem>

#include "core/paging/sources/place_map.h"

namespace farfield::paging {

/// Whether the files together are larger than `machineBytes`, or than the machine's memory where that is 0.
bool outgrowsSystemCache(const PlaceMap& places, std::uint64_t machineBytes);

/// Whether the file can be read past the cache: its first unit is read to find out, since some file systems
/// let a file be opened so and then refuse.
bool offersDirectReads(const std::filesystem::path& path);
/// Whether all files can.
bool offersDirectReads(const PlaceMap& places);

}  // namespace farfield::paging
