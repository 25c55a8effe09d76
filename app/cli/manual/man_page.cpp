#include "app/cli/manual/man_page.h"

#include <cstdio>

#include "app/cli/options/option_text.h"
#include "app/cli/options/parse.h"

namespace farfield::cli {
namespace {

/// The code point at `at` of UTF-8 text; `at` moves behind it.
unsigned codePoint(const std::string& text, std::size_t& at) {
  const auto byteAt = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned first = byteAt(at++);
  const int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  unsigned code = more == 0 ? first : first & (0x3Fu >> more);
  for (int n = 0; n < more && at < text.size(); ++n) code = (code << 6) | (byteAt(at++) & 0x3Fu);
  return code;
}

/// Text as groff shall print it: nothing in it is a request, hyphens can be copied into a shell.
std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= 0x80) {
      char name[16];
      std::snprintf(name, sizeof name, "\\[u%04X]", codePoint(text, at));
      out += name;
      continue;
    }
    ++at;
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else if (c == '.' && out.empty())
      out += "\\&.";
    else
      out += c;
  }
  return out;
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}
std::string italic(const std::string& text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string head(const std::string& page, const std::string& summary) {
  std::string title = page;
  for (char& c : title)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  // No date: equal sources make equal pages. No hyphens: options and paths can be copied.
  return ".\\\" Made from the declarations of the program's options.\n.TH " + escaped(title) +
         " 1 \"\" \"Farfield " FARFIELD_VERSION "\" \"User Commands\"\n.nh\n.SH NAME\n" + escaped(page) +
         " \\- " + escaped(summary) + "\n";
}

/// "[-o DIR]", "--set PATH=VALUE ..." as a synopsis has it; no break within.
std::string synopsisOf(const OptionText& option) {
  std::string text = option.flags.empty() ? italic(option.value) : bold(option.flags.front());
  if (!option.flags.empty() && !option.value.empty()) text += "\\ " + italic(option.value);
  if (!option.required) text = "[" + text + "]";
  if (option.repeated) text += "\\ .\\|.\\|.\\&";
  return text + "\n";
}

std::string synopsis(const std::string& words, const std::vector<OptionText>& arguments,
                     const std::vector<OptionText>& options) {
  std::string text = ".ad l\n.HP\n" + bold(words) + "\n";
  for (const OptionText& argument : arguments) text += synopsisOf(argument);
  for (const OptionText& option : options) text += synopsisOf(option);
  return text + ".ad b\n";
}

std::string paragraphs(const std::vector<OptionText>& options) {
  std::string text;
  for (const OptionText& option : options) {
    std::string item;
    for (const std::string& flag : option.flags) item += (item.empty() ? "" : ", ") + bold(flag);
    if (!option.value.empty()) item += (item.empty() ? "" : " ") + italic(option.value);
    text += ".TP\n" + item + "\n" + escaped(capitalised(option.explanation) + ".") + "\n";
  }
  return text;
}

std::string exitStatus() {
  return ".SH EXIT STATUS\n"
         ".TP\n0\nDone.\n.TP\n1\nFailed; standard error says what, where, and what to do, in one line.\n"
         ".TP\n2\nWrong usage.\n.TP\n130\nInterrupted.\n";
}

}  // namespace

std::string commandManPage(const Manual& command) {
  const std::string page = "farfield-" + command.name;
  CommonOptions common;
  const auto arguments = textsOf(command.arguments), options = textsOf(command.options),
             shared = textsOf(common.options());
  std::vector<OptionText> all = options;
  all.insert(all.end(), shared.begin(), shared.end());
  std::string text = head(page, command.summary) + ".SH SYNOPSIS\n" +
                     synopsis("farfield " + command.name, arguments, all) + ".SH DESCRIPTION\n" +
                     escaped(capitalised(command.summary) + ".") + "\n";
  for (const std::string& paragraph : command.details) text += ".PP\n" + escaped(paragraph) + "\n";
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + paragraphs(arguments);
  return text + ".SH OPTIONS\n" + paragraphs(all) + exitStatus() + ".SH SEE ALSO\n.BR farfield (1)\n";
}

std::string programManPage(const ProgramManual& manual) {
  const Manual& program = manual.program;
  const auto arguments = textsOf(program.arguments), options = textsOf(program.options);
  std::string text = head(program.name, program.summary) + ".SH SYNOPSIS\n.HP\n" + bold("farfield") + " " +
                     italic("COMMAND") + " [" + italic("ARGUMENTS") + "]\n";
  if (!arguments.empty()) text += synopsis("farfield", arguments, {});
  text += synopsis("farfield", {}, options) + ".SH DESCRIPTION\n";
  for (std::size_t n = 0; n < program.details.size(); ++n)
    text += (n ? ".PP\n" : "") + escaped(program.details[n]) + "\n";
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + paragraphs(arguments);
  text += ".SH COMMANDS\nEach has a page of its own.\n";
  for (const Manual& command : manual.manuals) {
    text += ".TP\n\\fBfarfield\\-" + escaped(command.name) + "\\fR(1)\n" +
            escaped(capitalised(command.summary) + ".") + "\n";
  }
  CommonOptions common;
  text +=
      ".SH OPTIONS\n" + paragraphs(options) + ".PP\nOptions of every command:\n" +
      paragraphs(textsOf(common.options())) + exitStatus() +
      ".SH ENVIRONMENT\n.TP\n.B TMPDIR\n"
      "Where results that do not fit into the budget wait, instead of in the output folder, and where, "
      "instead of in /var/tmp, data that cannot be read by position (text, what is compressed as a whole) "
      "are copied to, and benchmarks make their files.\n"
      ".SH SEE ALSO\n";
  for (std::size_t n = 0; n < manual.manuals.size(); ++n) {
    text += ".BR farfield\\-" + escaped(manual.manuals[n].name) + " (1)" +
            (n + 1 < manual.manuals.size() ? " ,\n" : "\n");
  }
  return text;
}

}  // namespace farfield::cli
