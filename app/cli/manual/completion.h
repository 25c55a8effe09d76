#pragma once
// Completions for shells, from the declarations of the commands. What may follow is written into the scripts,
// so that a key press starts no program.

#include <string>

#include "app/cli/manual/program_manual.h"

namespace farfield::cli {

std::string bashCompletion(const ProgramManual& manual);
std::string zshCompletion(const ProgramManual& manual);
std::string fishCompletion(const ProgramManual& manual);

}  // namespace farfield::cli
