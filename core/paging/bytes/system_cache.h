#pragma once
// What is known of the system's page cache and of reading past it (O_DIRECT): when a source had better do so.

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/paging/bytes/local_file.h"

namespace farfield::paging {

/// What a source compares its files with before it reads past the cache by its own choice.
struct BypassLimits {
  std::uint64_t machineBytes = 0;  ///< of memory; larger files cannot stay in the cache. 0: find out
  /// Smaller files are read through the cache whatever the disk: there is nothing to be gained.
  std::uint64_t smallBytes = std::uint64_t{64} << 20;
};

/// Whether reads of the files had better go past the cache: they are larger than the machine's memory, or
/// they are not in the cache and their disk is about as fast as copying out of it. False where the file
/// systems offer no such reads. Takes the time of a few reads.
bool betterPastSystemCache(std::span<const LocalFile> files, const BypassLimits& limits);

/// Whether the system's cache holds at least half of the file, judged by samples. Also true where the system
/// does not tell, as of files that belong to others.
bool liesInSystemCache(const LocalFile& file);

/// Whether the file can be read past the cache: its first unit is read to find out, since some file systems
/// let a file be opened so and then refuse.
bool offersDirectReads(const std::filesystem::path& path);

}  // namespace farfield::paging
