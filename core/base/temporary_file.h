#pragma once
// Files without a name: they disappear when they are closed, even if the program is killed.

#include "core/base/file.h"

namespace farfield {

/// A new empty file in `folder`, for reading and writing. Throws Io, naming the folder.
File makeTemporaryFile(const std::filesystem::path& folder);

}  // namespace farfield
