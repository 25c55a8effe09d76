#pragma once
// What cache files that belong to data have in common: an identity made from the state of the data's files,
// and a limit on the disk space they take.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace farfield::paging {

/// The state of `files` without reading them: path, size, inode and the times of the last change, a line
/// each. Empty if it cannot be determined.
std::string stampsOf(const std::vector<std::filesystem::path>& files);

/// The file in `folder` for data with `identity`.
std::filesystem::path keptFile(const std::filesystem::path& folder, const std::string& identity,
                               const char* extension);

/// Deletes files of `extension` in `folder`, those used longest ago first, until they take at most
/// `mostBytes` of the disk; also deletes what a killed program left half-written.
void makeRoom(const std::filesystem::path& folder, const char* extension, std::uint64_t mostBytes);

}  // namespace farfield::paging
