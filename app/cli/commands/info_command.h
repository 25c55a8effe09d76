#pragma once
// farfield info: what a data set is.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeInfoCommand();

}  // namespace farfield::cli
