#include "app/cli/running/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <stop_token>
#include <string_view>
#include <system_error>

#include "app/cli/files/result_output.h"
#include "app/cli/manual/manual_files.h"
#include "app/cli/manual/program_manual.h"
#include "app/cli/options/parse.h"
#include "app/cli/running/interrupt.h"
#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/base/units.h"

namespace farfield::cli {
namespace {

constexpr const char* kNoMemory =
    "farfield: out of memory; lower --memory, close other programs, or raise the limit (ulimit -v)\n";

/// An Error's text has been made printable part by part, and may be longer than one text may be.
void printError(const std::string& text) {
  std::fprintf(stderr, "farfield: %s\n", text.c_str());
}

std::terminate_handler g_usualEnd = nullptr;

/// Where something is thrown that nothing can catch, memory or threads have ended, or a fault of ours is seen.
[[noreturn]] void endWithoutMemory() noexcept {
  try {
    if (std::current_exception()) throw;
    if (std::uncaught_exceptions() == 0) g_usualEnd();
  } catch (const std::bad_alloc&) {
  } catch (const std::system_error&) {
  } catch (...) {
    g_usualEnd();
  }
  std::fputs(kNoMemory, stderr);
  std::_Exit(kFailed);
}

/// A standard stream that was closed (2>&-) would be the number of the next file that is opened, and what is
/// said would be written into that file. Writing to what is put there fails.
void takeClosedStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDONLY) != stream)
      throw ioError("cannot be opened", errno).at("file /dev/null");
}

std::unique_ptr<Command> commandNamed(const std::string& name) {
  for (const CommandFactory& make : commands())
    if (auto command = make(); command->manual().name == name) return command;
  return nullptr;
}

constexpr const char* kNoWindow = "this build has no desktop window (FARFIELD_GUI=OFF)";

/// What the help, the man page and the completions say of the window.
ProgramForm formOf(const Environment& environment) {
  return {.window = static_cast<bool>(environment.openWindow)};
}

int runCommand(Command& command, const std::vector<std::string>& arguments, const Environment& environment) {
  const Manual manual = command.manual();
  const ParsedCommon common = parseArguments(manual, {arguments.begin() + 1, arguments.end()});
  if (common.help) {
    printResult(*common.help);
    flushResults();
    return kDone;
  }
  log::setLevel(common.quiet ? log::Level::Quiet : common.verbose ? log::Level::Verbose : log::Level::Normal);
  const Interrupt interrupt;
  const std::stop_callback noMoreWaiting(interrupt.token(), [&] {
    if (environment.interrupted) environment.interrupted();
  });
  command.run({environment, interrupt.token()});
  flushResults();
  return kDone;
}

/// What is asked of the program itself, by an option in the place of a command.
int runOption(const std::vector<std::string>& arguments, const Environment& environment) {
  const std::string& option = arguments[0];
  if (option == "--manuals") {
    if (arguments.size() != 2) throw UsageError("--manuals needs a folder", "see farfield --help");
    writeManuals(arguments[1], programManual(formOf(environment)));
  } else if (option == "--version") {
    printResult("farfield " FARFIELD_VERSION "\n");
  } else if (option == "--help" || option == "-h") {
    printResult(overviewText(programManual(formOf(environment))));
  } else {
    throw UsageError("'" + option + "' is no option", "see farfield --help");
  }
  flushResults();
  return kDone;
}

/// What stands on a command line that names no command. Throws UsageError.
WindowRequest parseWindow(const std::vector<std::string>& arguments) {
  constexpr std::string_view kMemory = "--memory";
  WindowRequest request;
  bool onlyPaths = false;
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const std::string& word = arguments[n];
    if (onlyPaths || !word.starts_with('-')) {
      request.paths.push_back(word);
    } else if (word == "--") {
      onlyPaths = true;
    } else if (word == kMemory || word.starts_with(std::string(kMemory) + '=')) {
      const bool apart = word == kMemory;
      if (apart && n + 1 == arguments.size())
        throw UsageError("--memory needs a value", "write a number and K, M, G or T, such as 200M");
      if (request.memoryBytes) throw UsageError("--memory is given twice", "see farfield --help");
      try {
        request.memoryBytes = parseBytes(apart ? arguments[++n] : word.substr(kMemory.size() + 1));
      } catch (const Error& error) {
        throw UsageError(error.message(), error.action()).at("--memory");
      }
    } else {
      throw UsageError(
          "'" + word + "' is no option of the window",
          "it takes --memory SIZE; a file of that name comes after --, commands before their options");
    }
  }
  return request;
}

int dispatch(const std::vector<std::string>& arguments, const Environment& environment) {
  if (arguments.empty()) {
    if (environment.openWindow) return environment.openWindow({});
    std::fputs(overviewText(programManual(formOf(environment))).c_str(), stderr);
    throw UsageError(kNoWindow, "name a command");
  }
  const std::string& first = arguments[0];
  if (const auto command = commandNamed(first)) return runCommand(*command, arguments, environment);
  if (first.starts_with('-') && first != "--" && !first.starts_with("--memory"))
    return runOption(arguments, environment);
  std::error_code ignored;
  const auto isPath = [&](const std::string& word) {
    return word.find("://") != std::string::npos || std::filesystem::exists(word, ignored);
  };
  if (!first.starts_with('-') && !isPath(first))
    throw UsageError("'" + first + "' is no command and no file", "see farfield --help");
  const WindowRequest request = parseWindow(arguments);
  if (!request.paths.empty() && !isPath(request.paths.front()))
    throw UsageError("'" + request.paths.front() + "' is no file", commandNamed(request.paths.front())
                                                                       ? "options of a command come after it"
                                                                       : "see farfield --help");
  if (environment.openWindow) return environment.openWindow(request);
  throw UsageError(kNoWindow, "draw a session with farfield batchvis, look at data with farfield info");
}

}  // namespace

int runProgram(const std::vector<std::string>& arguments, const Environment& environment) noexcept {
  try {
    // A write past the limit on the size of files fails then, as others do, with EFBIG.
    std::signal(SIGXFSZ, SIG_IGN);
    g_usualEnd = std::set_terminate(endWithoutMemory);
    takeClosedStreams();
    return dispatch(arguments, environment);
  } catch (const Cancelled&) {
    printError("interrupted");
    return kInterrupted;
  } catch (const UsageError& error) {
    printError(error.what());
    return kWrongUsage;
  } catch (const std::bad_alloc&) {
    std::fputs(kNoMemory, stderr);
  } catch (const Error& error) {
    printError(error.what());
  } catch (const std::system_error& error) {
    const bool noThread = error.code() == std::errc::resource_unavailable_try_again;
    printError(noThread
                   ? "the system gives no more threads; raise the limits (ulimit -v, ulimit -u), or lower "
                     "--processors and --memory"
                   : printable(error.what()));
  } catch (const std::exception& error) {
    printError(printable(error.what()));
  } catch (...) {
    printError("stopped by an error that does not say what it is");
  }
  return kFailed;
}

}  // namespace farfield::cli
