#pragma once
// farfield doctor: whether this machine has what Farfield needs, and what to do where not.

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeDoctorCommand();

}  // namespace farfield::cli
