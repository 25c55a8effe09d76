#pragma once
// The man pages and completions as files, which the build makes with the program that it has built.

#include <filesystem>

#include "app/cli/manual/program_manual.h"

namespace farfield::cli {

/// Writes farfield.1, farfield-COMMAND.1 of every command, and the completions farfield.bash, _farfield (zsh)
/// and farfield.fish into `folder`, which is made where it does not exist. Throws Io.
void writeManuals(const std::filesystem::path& folder, const ProgramManual& manual);

}  // namespace farfield::cli
