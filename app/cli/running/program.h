#pragma once
// The command line as a whole: finds the subcommand, runs it, and turns whatever happens into one line and an
// exit status.

#include <string>
#include <vector>

#include "app/cli/options/command.h"

namespace farfield::cli {

/// Exit statuses of the program.
constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2, kInterrupted = 130;

/// `arguments` without the program's name. Never throws.
int runProgram(const std::vector<std::string>& arguments, const Environment& environment) noexcept;

}  // namespace farfield::cli
