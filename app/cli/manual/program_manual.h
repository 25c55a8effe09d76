#pragma once
// The program as a whole, described like one of its commands: its help, its man page and the completions of
// shells follow from this and from the commands' own manuals.

#include <memory>
#include <string>
#include <vector>

#include "app/cli/options/command.h"

namespace farfield::cli {

/// In what the builds of the program differ.
struct ProgramForm {
  bool window = false;  ///< without a command there is a window, which opens what is named
};

/// All that can be asked of the program. Its own options are taken by runProgram(), not by the parser.
struct ProgramManual {
  Manual program;
  std::vector<std::unique_ptr<Command>> commands;  ///< what the manuals refer to
  std::vector<Manual> manuals;                     ///< of the commands, in their order
};
ProgramManual programManual(ProgramForm form);

/// What --help prints without a command.
std::string overviewText(const ProgramManual& manual);

}  // namespace farfield::cli
