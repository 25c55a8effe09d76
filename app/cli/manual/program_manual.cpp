#include "app/cli/manual/program_manual.h"

#include <algorithm>

#include "app/cli/options/option_text.h"

namespace farfield::cli {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 2, width), ' ');
  return text;
}

/// "-o, --output DIR"
std::string headOf(const OptionText& option) {
  std::string head;
  for (const std::string& flag : option.flags) head += (head.empty() ? "" : ", ") + flag;
  return option.value.empty() ? head : head + " " + option.value;
}

}  // namespace

ProgramManual programManual(ProgramForm form) {
  // Nothing is parsed into these.
  bool* const toSwitch = nullptr;
  std::string* const toText = nullptr;
  ProgramManual all{
      {"farfield",
       "looks at simulation results that do not fit in memory",
       {"Farfield pages data in on demand, under a memory budget that holds, while many tasks go on "
        "computing: streamlines and surfaces through flows of any size. Its commands make pictures and "
        "geometry with no display, convert data into paged stores, and answer questions about them."},
       {},
       {{"-h,--help", "", "print this help, or that of a command, and exit", toSwitch},
        {"--version", "", "print the version and exit", toSwitch},
        {"--manuals", "DIR", "write the man pages and the completions for shells into a folder, and exit",
         toText}}},
      {},
      {}};
  if (form.window) {
    all.program.details.push_back(
        "Without a command it opens its window, with the sessions or data that are named.");
    all.program.arguments.push_back(
        {"SESSION|DATA", "", "a session file, or grid and solution files", ListTarget{}});
    all.program.options.push_back({"--memory", "SIZE",
                                   "memory budget of this window, such as 200M or 1G; never exceeded",
                                   BytesTarget{}, false, "as its settings say"});
  }
  for (const CommandFactory& make : commands()) {
    all.commands.push_back(make());
    all.manuals.push_back(all.commands.back()->manual());
  }
  return all;
}

std::string overviewText(const ProgramManual& manual) {
  std::string text = "Farfield: " + manual.program.summary + ".\n\nUsage: farfield COMMAND [ARGUMENTS]\n";
  if (!manual.program.arguments.empty())
    text += "       farfield [--memory SIZE] [" + manual.program.arguments.front().flags + " ...]\n";
  text += "\nCommands:\n";
  for (const Manual& command : manual.manuals)
    text += "  " + padded(command.name, 10) + command.summary + "\n";
  text += "\nOptions:\n";
  for (const OptionText& option : textsOf(manual.program.options))
    text += "  " + padded(headOf(option), 15) + option.explanation + "\n";
  return text + "\nExit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.\n";
}

}  // namespace farfield::cli
