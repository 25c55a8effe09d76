#pragma once
// The names of an unfinished store, and the lock that keeps two conversions from writing the same one.

#include <filesystem>

#include "core/base/file.h"

namespace farfield::paging::detail {

std::filesystem::path partialPath(const std::filesystem::path& store);
std::filesystem::path journalPath(const std::filesystem::path& store);

/// Locks a file until it is closed. Throws Invalid if another process holds the lock.
void lockForWriting(const File& file, const std::filesystem::path& store);

/// Syncs the folder of `path`, so that its names survive a crash of the machine.
void syncFolder(const std::filesystem::path& path);

}  // namespace farfield::paging::detail
