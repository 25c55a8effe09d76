#include "app/cli/commands/doctor_command.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/files/result_output.h"
#include "app/cli/running/resources.h"
#include "app/doctor/folder_check.h"
#include "app/doctor/machine_checks.h"
#include "app/doctor/network_checks.h"
#include "core/base/child.h"
#include "core/base/disk_rate.h"
#include "core/base/machine.h"
#include "core/base/temporary_file.h"
#include "core/base/units.h"

namespace farfield::cli {
namespace {

using doctor::Finding;
using doctor::Status;
using Json = nlohmann::ordered_json;

const std::vector<std::string> kNames{"processors", "memory", "files",   "locked-memory",
                                      "io_uring",   "folder", "hdf5",    "pictures",
                                      "opencl",     "window", "network", "url"};

Finding checkPictures(const Environment& environment) {
  if (!environment.describeRenderer)
    return {Status::Warn, "this build makes none (FARFIELD_EGL=OFF); batchvis writes geometry",
            "build with FARFIELD_EGL=ON"};
  const doctor::DrawingDevice device = environment.describeRenderer();
  const auto has = [&](const char* word) { return device.name.find(word) != std::string::npos; };
  const bool software = has("llvmpipe") || has("softpipe") || has("SWR") || has("swrast");
  return {Status::Ok,
          device.name + ", OpenGL " + device.version + " by " + device.through +
              (software ? "; drawn by the processor" : "; drawn by the graphics card"),
          ""};
}

Finding checkDevice(const Environment& environment) {
  if (!environment.describeDevice)
    return {Status::Ok, "this build has none (FARFIELD_OPENCL=OFF); the processors cast volumes", ""};
  try {
    return {Status::Ok, environment.describeDevice(), ""};
  } catch (const Error& error) {
    // The processors do without.
    return {Status::Warn, error.message() + "; the processors cast volumes", error.action()};
  }
}

Finding checkHdf5(const Environment& environment) {
  const std::string why = environment.whyHdf5IsOpenedHere ? environment.whyHdf5IsOpenedHere() : "";
  if (why.empty()) return {Status::Ok, "files are opened by a process of their own", ""};
  return {Status::Warn, "files are opened by this program, which a damaged one may end: " + why,
          "install the package again"};
}

Finding checkWindow(const Environment& environment) {
  if (!environment.describeWindow)
    return {Status::Ok, "this build has none (FARFIELD_GUI=OFF); commands need none", ""};
  try {
    const doctor::DrawingDevice device = environment.describeWindow();
    return {Status::Ok, device.through + "; " + device.name + ", OpenGL " + device.version, ""};
  } catch (const Unsupported& error) {
    // Commands do without.
    return {Status::Warn, error.message(), error.action()};
  }
}

/// A file, or a URL that is no web address: whether the program can open it.
Finding checkData(const Environment& environment, const std::string& name) {
  MemoryAccount account(defaultMemoryBytes());
  const auto data = environment.readers.open({{name}, {}, "", {}, true}, account);
  const paging::DatasetDescription& description = data->description();
  std::string found = name + " is " + description.format + " data of " +
                      std::to_string(description.blocks.size()) +
                      (description.blocks.size() == 1 ? " block, " : " blocks, ") +
                      std::to_string(description.steps()) + (description.steps() == 1 ? " step" : " steps");
  std::error_code none;
  if (std::filesystem::is_regular_file(name, none))
    if (const double rate = measureReadRate(name, 64 << 10, 16); rate > 0)
      found += "; its disk reads " + formatBytes(static_cast<std::uint64_t>(rate)) +
               " a second in requests of 64 KiB";
  return {Status::Ok, found, ""};
}

Finding checkUrl(const Environment& environment, const std::string& url, std::chrono::milliseconds timeout) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    try {
      return checkData(environment, url);
    } catch (const Unsupported&) {
      if (url.find("://") == std::string::npos) throw;
      return {Status::Fail, url + " is of a kind that this version cannot open",
              "name a file, or sample://NAME"};
    }
  }
  Finding finding = doctor::checkHttp(url, timeout);
  if (finding.status != Status::Ok) return finding;
  try {
    checkData(environment, url);
  } catch (const Error& error) {
    finding.status = Status::Warn;
    finding.found += "; it is not opened as data: " + error.message();
    finding.advice = error.action();
  }
  return finding;
}

std::string signalName(int number) {
  const char* const words = ::strsignal(number);
  return "signal " + std::to_string(number) + (words ? std::string(" (") + words + ")" : "");
}

class DoctorCommand final : public Command {
 public:
  Manual manual() override {
    return {
        "doctor",
        "says whether this machine has what Farfield needs, and what to do where not",
        {"A line for each thing looked at: ok, warn (it works, but worse or not all of it) or fail, what was "
         "found, and below what to do. The exit status is 1 where something failed. Each is looked at by a "
         "process of its own, which a driver or a file system may hang or crash.",
         "A URL, or the name of a file, is looked at, too: whether it can be reached and opened, and "
         "whether its server honours requests for a range of bytes."},
        {{"URL", "", "a web address, or data", ListTarget{&m_urls, false, true}}},
        {{"--only", "NAME", "look at this alone; may be repeated", ListTarget{&m_only, true}, false, "",
          kNames},
         {"--folder", "DIR", "the folder for temporary files to look at", &m_folder, false,
          "TMPDIR, or /var/tmp"},
         {"--timeout", "SECONDS", "how long each may take", IntegerTarget{&m_timeoutSeconds, 1, 600}, false,
          "15"},
         {"--in-process", "", "look in this process, without limit of time: for a debugger", &m_inProcess},
         {"--json", "", "print JSON", &m_json}}};
  }

  void run(const Context& context) override {
    if (m_urls.size() > 1) throw UsageError("name one URL", "see farfield doctor --help");
    for (const std::string& name : m_only)
      if (std::find(kNames.begin(), kNames.end(), name) == kNames.end())
        throw UsageError("'" + name + "' is not one of " + listOf(kNames)).at("--only");
    Json list = Json::array();
    int failed = 0, warned = 0, looked = 0;
    for (const std::string& name : kNames) {
      if (!m_only.empty() && std::find(m_only.begin(), m_only.end(), name) == m_only.end()) continue;
      if (name == "url" && m_urls.empty()) continue;
      if (context.stop.stop_requested()) throw Cancelled();
      const Finding finding = m_inProcess ? lookHere(name, context.environment) : lookBeside(name, context);
      ++looked;
      failed += finding.status == Status::Fail;
      warned += finding.status == Status::Warn;
      if (m_json)
        list.push_back({{"name", name},
                        {"status", doctor::nameOf(finding.status)},
                        {"found", finding.found},
                        {"advice", finding.advice}});
      else
        print(name, finding);
    }
    if (looked == 0) throw UsageError("there is no URL to look at", "give one");
    if (m_json) {
      const Status worst = failed ? Status::Fail : warned ? Status::Warn : Status::Ok;
      const Json out = {{"version", FARFIELD_VERSION}, {"status", doctor::nameOf(worst)}, {"checks", list}};
      printResult(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (failed > 0)
      throw Unsupported(std::to_string(failed) + " of " + std::to_string(looked) + " checks failed");
  }

 private:
  static std::string listOf(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  static void print(const std::string& name, const Finding& finding) {
    std::printf("%-5s %-14s %s\n", doctor::nameOf(finding.status), name.c_str(), finding.found.c_str());
    if (!finding.advice.empty()) std::printf("%-20s -> %s\n", "", finding.advice.c_str());
    flushResults();
  }

  std::filesystem::path folder() const {
    if (!m_folder.empty()) return m_folder;
    return temporaryFolder();
  }

  doctor::Check checkNamed(const std::string& name, const Environment& environment) const {
    const doctor::Machine machine;
    const auto timeout = std::chrono::milliseconds(1000 * m_timeoutSeconds * 9 / 10);
    if (name == "processors") return {name, [=] { return checkProcessors(machine, availableProcessors()); }};
    if (name == "memory") return {name, [=] { return checkMemory(machine, defaultMemoryBytes()); }};
    if (name == "files") return {name, doctor::checkOpenFiles};
    if (name == "locked-memory") return {name, doctor::checkLockedMemory};
    if (name == "io_uring") return {name, [=] { return checkUring(machine); }};
    if (name == "folder") return {name, [this] { return doctor::checkFolder(folder()); }};
    if (name == "hdf5") return {name, [&] { return checkHdf5(environment); }};
    if (name == "pictures") return {name, [&] { return checkPictures(environment); }};
    if (name == "opencl") return {name, [&] { return checkDevice(environment); }};
    if (name == "window") return {name, [&] { return checkWindow(environment); }};
    if (name == "network") return {name, doctor::checkLoopback};
    return {name, [&, timeout] { return checkUrl(environment, m_urls.front(), timeout); }};
  }

  Finding lookHere(const std::string& name, const Environment& environment) const {
    return doctor::findingOf(checkNamed(name, environment));
  }

  /// Lets another process of this program look.
  Finding lookBeside(const std::string& name, const Context& context) const {
    std::vector<std::string> words{"doctor",          "--in-process", "--json",
                                   "--only",          name,           "--folder",
                                   folder().string(), "--timeout",    std::to_string(m_timeoutSeconds)};
    if (name == "url") words.insert(words.end(), {"--", m_urls.front()});
    try {
      const auto& findWhole = context.environment.findWholeProgram;
      const std::string program = name == "window" && findWhole ? findWhole().string() : "/proc/self/exe";
      const ChildOutcome outcome =
          runChild(program, words, std::chrono::milliseconds(1000 * m_timeoutSeconds), context.stop);
      return read(outcome);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      return {Status::Fail, error.message(), error.action()};
    }
  }

  Finding read(const ChildOutcome& outcome) const {
    using End = ChildOutcome::End;
    if (outcome.end == End::TimedOut)
      return {Status::Fail, "gave no answer in " + std::to_string(m_timeoutSeconds) + " s",
              "see what hangs: a driver, a disk or a server"};
    const Json answer = Json::parse(outcome.out, nullptr, false);
    if (answer.is_object() && answer.contains("checks") && answer["checks"].size() == 1) {
      const Json& check = answer["checks"][0];
      const std::string status = check.value("status", "fail");
      return {status == "ok"     ? Status::Ok
              : status == "warn" ? Status::Warn
                                 : Status::Fail,
              check.value("found", ""), check.value("advice", "")};
    }
    std::string last = outcome.errors;
    while (last.ends_with('\n')) last.pop_back();
    last = last.substr(last.rfind('\n') + 1);
    return {Status::Fail,
            "ended by " +
                (outcome.end == End::Signalled ? signalName(outcome.number)
                                               : "exit status " + std::to_string(outcome.number)) +
                (last.empty() ? "" : ": " + last),
            "a driver or library is at fault: update it"};
  }

  std::vector<std::string> m_urls, m_only;
  std::string m_folder;
  int m_timeoutSeconds = 15;
  bool m_inProcess = false, m_json = false;
};

}  // namespace

std::unique_ptr<Command> makeDoctorCommand() {
  return std::make_unique<DoctorCommand>();
}

}  // namespace farfield::cli
