#pragma once
// From a command's description to parsed variables.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/options/command.h"

namespace farfield::cli {

/// Options of every command.
struct CommonOptions {
  bool help = false, quiet = false, verbose = false;
  /// Refer to this object.
  std::vector<Option> options();
};

struct ParsedCommon {
  bool quiet = false, verbose = false;
  std::optional<std::string> help;  ///< was asked for: its text
};

/// Fills in the variables that `manual` names. Throws UsageError.
ParsedCommon parseArguments(const Manual& manual, const std::vector<std::string>& arguments);

/// What --help prints.
std::string helpText(const Manual& manual);

}  // namespace farfield::cli
