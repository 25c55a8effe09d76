#pragma once
// What files of the cache folder that belong to data have in common: the data's files as they are make their
// identity, and there is room for so much of them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace farfield::paging {

/// What `files` are, without reading them: path, size, inode and the times of the last change, a line each. Empty
/// where that cannot be found out.
std::string stampsOf(const std::vector<std::filesystem::path>& files);

/// The file of `folder` for what has `identity`.
std::filesystem::path keptFile(const std::filesystem::path& folder, const std::string& identity,
                               const char* extension);

/// Lets the files of `extension` in `folder` go that were used longest ago, until they take `mostBytes` of the disk at
/// most; and what a program that was killed left half-written.
void makeRoom(const std::filesystem::path& folder, const char* extension, std::uint64_t mostBytes);

}  // namespace farfield::paging
