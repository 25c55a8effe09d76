#include "app/cli/manual/completion.h"
#include "app/cli/options/option_text.h"
#include "app/cli/options/parse.h"

namespace farfield::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

/// What the script runs where a value of this option is wanted.
std::string offerOf(const OptionText& option) {
  switch (option.kind) {
    case ValueKind::Words:
      return "_farfield_words '" + joined(option.words, " ") + "'";
    case ValueKind::File:
      return "_farfield_files -f";
    case ValueKind::Folder:
      return "_farfield_files -d";
    case ValueKind::None:
    case ValueKind::Other:
      break;
  }
  return ":";
}

/// The body of a case: options that want a value, then flags, then arguments.
std::string offers(const std::vector<OptionText>& options, const std::string& otherwise) {
  std::string values, flags;
  for (const OptionText& option : options) {
    flags += (flags.empty() ? "" : " ") + joined(option.flags, " ");
    if (option.kind != ValueKind::None)
      values += "        " + joined(option.flags, " | ") + ") " + offerOf(option) + " ;;\n";
  }
  return "      case $prev in\n" + values + "        *)\n          if [[ $cur == -* ]]; then\n" +
         "            _farfield_words '" + flags + "'\n          else\n            " + otherwise +
         "\n          fi\n          ;;\n      esac\n      ;;\n";
}

// "--codec=zs" reaches the function as three words where = breaks words.
constexpr const char* kStart =
    R"(# bash completion for farfield; made from the declarations of the program's options
_farfield_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_farfield_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

_farfield() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=
  COMPREPLY=()
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}
  case $command in
)";

}  // namespace

std::string bashCompletion(const ProgramManual& manual) {
  std::string text = kStart, names;
  CommonOptions common;
  for (const Manual& command : manual.manuals) {
    names += (names.empty() ? "" : " ") + command.name;
    std::vector<OptionText> options = textsOf(command.options);
    for (OptionText& option : textsOf(common.options())) options.push_back(std::move(option));
    const std::string arguments =
        command.arguments.empty() ? ":" : offerOf(textOf(command.arguments.front()));
    text += "    " + command.name + ")\n" + offers(options, arguments);
  }
  // The first word, and all words where there is a window that opens files.
  const std::vector<OptionText> options = textsOf(manual.program.options);
  std::string first = "_farfield_words '" + names + "'";
  if (!manual.program.arguments.empty()) {
    first =
        "_farfield_files -f\n            ((COMP_CWORD == 1)) && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY "
        "< <(compgen -W '" +
        names + "' -- \"$cur\")";
  } else {
    first = "((COMP_CWORD > 1)) || " + first;
  }
  return text + "    *)\n" + offers(options, first) + "  esac\n}\ncomplete -F _farfield farfield\n";
}

}  // namespace farfield::cli
