#pragma once
// farfield bench: measures this program on this machine.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeBenchCommand();

}  // namespace farfield::cli
