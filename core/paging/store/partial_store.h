#pragma once
// The names of a store in the making, and what keeps two conversions from making the same one.

#include <filesystem>

#include "core/base/file.h"

namespace farfield::paging::detail {

std::filesystem::path partialPath(const std::filesystem::path& store);
std::filesystem::path journalPath(const std::filesystem::path& store);

/// Locks a file until it is closed. Throws Invalid when another process holds it.
void lockForWriting(const File& file, const std::filesystem::path& store);

/// Makes the names in the folder of `path` last, whatever happens to the machine.
void syncFolder(const std::filesystem::path& path);

}  // namespace farfield::paging::detail
