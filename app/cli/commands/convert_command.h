#pragma once
// farfield convert: any data into a paged store.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeConvertCommand();

}  // namespace farfield::cli
