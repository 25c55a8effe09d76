#pragma once
// The folder for temporary files: room, and how fast its disk is.

#include <filesystem>

#include "app/doctor/check.h"

namespace farfield::doctor {

/// Writes a file without a name of at most 32 MiB for at most a second, and reads from it. Throws Io where
/// that fails.
Finding checkFolder(const std::filesystem::path& folder);

}  // namespace farfield::doctor
