#include "app/cli/manual/completion.h"
#include "app/cli/options/option_text.h"
#include "app/cli/options/parse.h"

namespace farfield::cli {
namespace {

/// For single quotes, within which _arguments takes some characters for its own.
std::string escaped(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (special.find(c) != std::string::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string explanationOf(const OptionText& option) {
  return escaped(option.explanation, "\\[]:");
}

/// ":DIR:_files -/"
std::string valueOf(const OptionText& option) {
  const std::string start = ":" + escaped(option.value, "\\:") + ":";
  switch (option.kind) {
    case ValueKind::None:
      return "";
    case ValueKind::File:
      return start + "_files";
    case ValueKind::Folder:
      return start + "_files -/";
    case ValueKind::Other:
      return start + " ";
    case ValueKind::Words:
      break;
  }
  std::string words;
  for (const std::string& word : option.words) words += (words.empty() ? "" : " ") + escaped(word, "\\:() ");
  return start + "(" + words + ")";
}

/// One row of _arguments; an option that may be repeated does not exclude itself.
std::string rowOf(const OptionText& option) {
  if (option.flags.empty())
    return "        '" + std::string(option.repeated ? "*" : "1") + valueOf(option) + "' \\\n";
  const std::string rest = "[" + explanationOf(option) + "]" + valueOf(option) + "' \\\n";
  std::string rows;
  std::string all;
  for (const std::string& flag : option.flags) all += (all.empty() ? "" : " ") + flag;
  for (const std::string& flag : option.flags)
    rows += "        '" + (option.repeated ? "*" : "(" + all + ")") + flag + rest;
  return rows;
}

std::string rowsOf(const std::vector<OptionText>& options) {
  std::string rows;
  for (const OptionText& option : options) rows += rowOf(option);
  return rows;
}

/// One case: what _arguments is told.
std::string caseOf(const std::string& pattern, std::string rows) {
  rows.resize(rows.size() - 3);  // the last line goes on nowhere
  return "    " + pattern + ")\n      _arguments \\\n" + rows + "\n      ;;\n";
}

}  // namespace

std::string zshCompletion(const ProgramManual& manual) {
  CommonOptions common;
  const std::string shared = rowsOf(textsOf(common.options()));
  std::string cases, names;
  for (const Manual& command : manual.manuals) {
    names += "      '" + escaped(command.name, ":") + ":" + escaped(command.summary, "\\") + "'\n";
    cases +=
        caseOf(command.name, rowsOf(textsOf(command.options)) + shared + rowsOf(textsOf(command.arguments)));
  }
  cases += caseOf("-*", rowsOf(textsOf(manual.program.options)));
  const bool window = !manual.program.arguments.empty();
  if (window) cases += "    *) _files ;;\n";
  return "#compdef farfield\n"
         "# zsh completion for farfield; made from the declarations of the program's options\n"
         "_farfield() {\n"
         "  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
         "    local -a commands\n"
         "    commands=(\n" +
         names + "    )\n    _describe -t commands 'command' commands\n" + (window ? "    _files\n" : "") +
         "    return\n  fi\n"
         "  local command=$words[2]\n"
         "  if [[ $command != -* ]]; then\n    shift words\n    ((CURRENT--))\n  fi\n"
         "  case $command in\n" +
         cases + "  esac\n}\n\n_farfield \"$@\"\n";
}

}  // namespace farfield::cli
