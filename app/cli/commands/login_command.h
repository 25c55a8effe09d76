#pragma once
// farfield login: keeps a paging server's certificate and a token for it.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeLoginCommand();

}  // namespace farfield::cli
