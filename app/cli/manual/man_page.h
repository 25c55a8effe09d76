#pragma once
// Man pages, in the language of man(7), from the declarations of the commands.

#include <string>

#include "app/cli/manual/program_manual.h"

namespace farfield::cli {

/// farfield(1).
std::string programManPage(const ProgramManual& manual);
/// farfield-COMMAND(1).
std::string commandManPage(const Manual& command);

}  // namespace farfield::cli
