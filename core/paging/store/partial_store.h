#pragma once
// The names of an unfinished store, and the lock that keeps two conversions from writing the same one.

#include <filesystem>

#include "core/base/file.h"

namespace farfield::paging::detail {

std::filesystem::path partialPath(const std::filesystem::path& store);
std::filesystem::path journalPath(const std::filesystem::path& store);

/// The file at `path`, made where there is none, locked until it is closed. Throws Invalid if another process writes `store`.
File openLocked(const std::filesystem::path& path, const std::filesystem::path& store);

/// Syncs the folder of `path`, so that its names survive a crash of the machine.
void syncFolder(const std::filesystem::path& path);

}  // namespace farfield::paging::detail
