#pragma once
// farfield stripe: a store's pages in several files, for several servers or disks.

#include <memory>

#include "app/cli/options/command.h"

namespace farfield::cli {

std::unique_ptr<Command> makeStripeCommand();

}  // namespace farfield::cli
