#pragma once
// farfield sample: exact data with no download.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeSampleCommand();

}  // namespace farfield::cli
