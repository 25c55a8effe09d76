#pragma once
// farfield batchvis: carries out a session without a window.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeBatchvisCommand();

}  // namespace farfield::cli
