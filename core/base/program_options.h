#pragma once
// The command lines of the small programs beside farfield: an option is described once, and help, man page and parsing follow
// from that.

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace farfield {

struct ProgramOption {
  const char* name;   ///< "--root"
  const char* value;  ///< "DIR"; nullptr: a switch
  const char* help;   ///< without its full stop
};

/// A line for each option, and those that every program has: --help and --version.
std::string helpLines(std::span<const ProgramOption> options);
/// The options' part of a man page.
std::string manLines(std::span<const ProgramOption> options);

struct GivenOptions {
  std::vector<std::pair<std::size_t, std::string>> options;  ///< index and value, in order
  std::vector<std::string> words;                            ///< that are no options
  std::string
      asked;  ///< "--help", "--version" or "--man-page", where that is asked; what follows is not looked at
};
/// "--name value", "--name=value". `program` is named in advice. `takesWords`: words that are no options are allowed. Throws
/// Invalid at "command line".
GivenOptions parseOptions(std::span<const ProgramOption> options, const std::vector<std::string>& arguments,
                          const std::string& program, bool takesWords);

}  // namespace farfield
