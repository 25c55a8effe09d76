#include "app/cli/manual/completion.h"
#include "app/cli/options/option_text.h"
#include "app/cli/options/parse.h"

namespace farfield::cli {
namespace {

std::string inQuotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out + "'";
}

std::string valueOf(const OptionText& option) {
  switch (option.kind) {
    case ValueKind::None:
      return "";
    case ValueKind::File:
      return " -r -F";
    case ValueKind::Folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::Other:
      return " -x";
    case ValueKind::Words:
      break;
  }
  std::string words;
  for (const std::string& word : option.words) words += (words.empty() ? "" : " ") + word;
  return " -x -a " + inQuotes(words);
}

std::string rowsOf(const std::vector<OptionText>& options, const std::string& condition) {
  std::string rows;
  for (const OptionText& option : options) {
    rows += "complete -c farfield -n " + inQuotes(condition);
    for (const std::string& flag : option.flags)
      rows += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
    if (option.flags.empty()) {
      rows += (option.kind == ValueKind::File ? " -F" : valueOf(option)) + "\n";
      continue;
    }
    rows += valueOf(option) + " -d " + inQuotes(option.explanation) + "\n";
  }
  return rows;
}

// Files are offered only where a row says so.
constexpr const char* kStart =
    R"(# fish completion for farfield; made from the declarations of the program's options
function __farfield_first
  test (count (commandline -opc)) -eq 1
end
function __farfield_command
  set -l words (commandline -opc)
  set -q words[2]; and contains -- $words[2] $argv
end
complete -c farfield -f
)";

}  // namespace

std::string fishCompletion(const ProgramManual& manual) {
  std::string names, rows;
  CommonOptions common;
  for (const Manual& command : manual.manuals) {
    const std::string condition = "__farfield_command " + command.name;
    names += " " + command.name;
    rows += "complete -c farfield -n __farfield_first -a " + command.name + " -d " +
            inQuotes(command.summary) + "\n" + rowsOf(textsOf(command.arguments), condition) +
            rowsOf(textsOf(command.options), condition) + rowsOf(textsOf(common.options()), condition);
  }
  const std::string none = "not __farfield_command" + names;
  return kStart + rows + rowsOf(textsOf(manual.program.arguments), none) +
         rowsOf(textsOf(manual.program.options), none);
}

}  // namespace farfield::cli
