#pragma once
// The files that making a store touches, for RunFiles.

#include <filesystem>

#include "app/cli/files/run_files.h"

namespace farfield::cli {

/// Declares the store `path` as written, and what lies beside it while it is made. What is there must be a
/// store; without `replaceStore` even that takes --overwrite. Throws as RunFiles does.
void declareStore(RunFiles& files, const std::filesystem::path& path, bool replaceStore = true);
/// Declares the store `path`, which gets more steps, and what lies beside it meanwhile.
void declareLongerStore(RunFiles& files, const std::filesystem::path& path);

}  // namespace farfield::cli
