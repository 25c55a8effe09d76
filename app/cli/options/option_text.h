#pragma once
// What the help, the man pages and the shells' completions say about an option: one place, so that all three
// say the same.

#include <span>
#include <string>
#include <vector>

#include "app/cli/options/command.h"

namespace farfield::cli {

/// What may stand in the place of an option's value, as far as a shell can help with it.
enum class ValueKind { None, Words, File, Folder, Other };

struct OptionText {
  std::vector<std::string> flags;  ///< "-o", "--output"; empty for an argument
  std::string value;               ///< "DIR"; of an argument its name; empty for a switch
  std::string explanation;         ///< the help with choices and default, without a full stop
  std::vector<std::string> words;  ///< values that are known
  ValueKind kind = ValueKind::None;
  bool required = false;
  bool repeated = false;  ///< takes several values, or may be given several times
};

OptionText textOf(const Option& option);
std::vector<OptionText> textsOf(std::span<const Option> options);

}  // namespace farfield::cli
