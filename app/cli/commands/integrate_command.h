#pragma once
// farfield integrate: areas, integrals, flows and forces over grid surfaces.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeIntegrateCommand();

}  // namespace farfield::cli
