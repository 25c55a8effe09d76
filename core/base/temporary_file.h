#pragma once
// Files without a name: they disappear when they are closed, even if the program is killed. What cannot be read by position is copied into one,
// and what memory does not hold waits in one, so they may be as large as the data.

#include "core/base/file.h"

namespace farfield {

/// Where they are made if there is no better place: $TMPDIR; else /var/tmp, which is a disk where /tmp may be memory; else /tmp.
std::filesystem::path temporaryFolder();

/// A new empty file in `folder`, for reading and writing. Throws Io, naming the folder.
File makeTemporaryFile(const std::filesystem::path& folder);

/// Takes room on the disk for `bytes` more at the end of a temporary file, as far as its file system can; its size stays. Throws Io, which says how
/// much is needed, how much there is and where, before any is written.
void takeRoom(const File& file, std::uint64_t bytes);

}  // namespace farfield
