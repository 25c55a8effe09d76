#pragma once
// farfield trace: pictures of recorded event logs.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeTraceCommand();

}  // namespace farfield::cli
