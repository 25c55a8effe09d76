#pragma once
// farfield verify: that data are intact, and that a session gives the same geometry however it is computed.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeVerifyCommand();

}  // namespace farfield::cli
