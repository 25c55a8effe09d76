#pragma once
// Files that no name leads to: gone when they are closed, whatever becomes of the program.

#include "core/base/file.h"

namespace farfield {

/// A new file in `folder`, empty, for reading and writing. Throws Io, naming the folder.
File makeTemporaryFile(const std::filesystem::path& folder);

}  // namespace farfield
