#pragma once
// farfield probe: values of a function at points.

#include "app/cli/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeProbeCommand();

}  // namespace farfield::cli
