#include "app/cli/program.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>

#include "app/cli/interrupt.h"
#include "app/cli/parse.h"
#include "core/base/log.h"

namespace farfield::cli {
namespace {

std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void printError(const std::string& text) {
  std::fprintf(stderr, "farfield: %s\n", oneLine(text).c_str());
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// What was printed may still be on its way to a full disk.
void flushResults() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw ioError("results cannot be written", errno).at("stdout");
}

std::string overview() {
  std::string text =
      "Farfield: looks at simulation results that do not fit in memory.\n\n"
      "Usage: farfield COMMAND [ARGUMENTS]\n"
      "       farfield [SESSION|DATA ...]   opens the window\n\nCommands:\n";
  for (const CommandFactory& make : commands()) {
    const auto command = make();
    const Manual manual = command->manual();
    text += "  " + manual.name + std::string(manual.name.size() < 10 ? 10 - manual.name.size() : 1, ' ') +
            manual.summary + "\n";
  }
  return text +
         "\nOptions:\n"
         "  -h, --help  print this help, or that of a command, and exit\n"
         "  --version   print the version and exit\n"
         "\nExit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted.\n";
}

std::unique_ptr<Command> commandNamed(const std::string& name) {
  for (const CommandFactory& make : commands())
    if (auto command = make(); command->manual().name == name) return command;
  return nullptr;
}

constexpr const char* kNoWindow = "this build has no desktop window (FARFIELD_GUI=OFF)";

int runCommand(Command& command, const std::vector<std::string>& arguments, const Environment& environment) {
  const Manual manual = command.manual();
  const ParsedCommon common = parseArguments(manual, {arguments.begin() + 1, arguments.end()});
  if (common.help) {
    print(*common.help);
    flushResults();
    return kDone;
  }
  log::setLevel(common.quiet ? log::Level::Quiet : common.verbose ? log::Level::Verbose : log::Level::Normal);
  const Interrupt interrupt;
  command.run({environment, interrupt.token()});
  flushResults();
  return kDone;
}

int dispatch(const std::vector<std::string>& arguments, const Environment& environment) {
  if (arguments.empty()) {
    if (environment.openWindow) return environment.openWindow({});
    std::fputs(overview().c_str(), stderr);
    throw UsageError(kNoWindow, "name a command");
  }
  const std::string& first = arguments[0];
  if (first == "--help" || first == "-h" || first == "--version") {
    print(first == "--version" ? "farfield " FARFIELD_VERSION "\n" : overview());
    flushResults();
    return kDone;
  }
  if (const auto command = commandNamed(first)) return runCommand(*command, arguments, environment);
  if (first.starts_with('-')) throw UsageError("'" + first + "' is no option", "see farfield --help");
  std::error_code ignored;
  if (first.find("://") != std::string::npos || std::filesystem::exists(first, ignored)) {
    if (environment.openWindow) return environment.openWindow(arguments);
    throw UsageError(kNoWindow, "draw a session with farfield batchvis, look at data with farfield info");
  }
  throw UsageError("'" + first + "' is no command and no file", "see farfield --help");
}

}  // namespace

int runProgram(const std::vector<std::string>& arguments, const Environment& environment) noexcept {
  try {
    return dispatch(arguments, environment);
  } catch (const Cancelled&) {
    printError("interrupted");
    return kInterrupted;
  } catch (const UsageError& error) {
    printError(error.what());
    return kWrongUsage;
  } catch (const std::bad_alloc&) {
    printError("out of memory; lower --memory or close other programs");
  } catch (const std::exception& error) {
    printError(error.what());
  } catch (...) {
    printError("stopped by an error that does not say what it is");
  }
  return kFailed;
}

}  // namespace farfield::cli
