#pragma once
// farfield probe: values of functions at points and along lines, in time.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeProbeCommand();

}  // namespace farfield::cli
