#include "app/doctor/machine_checks.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/base/units.h"
#include "core/paging/bytes/read_engine.h"

namespace farfield::doctor {
namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;
/// Some systems say "no limit" by a number near the largest.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;

std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<std::uint64_t> numberIn(const std::string& text) {
  std::uint64_t number = 0;
  const auto [after, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{}) return std::nullopt;
  return number;
}

/// "MemAvailable:   123 kB", in bytes.
std::uint64_t memoryLine(const Machine& machine, const std::string& name) {
  std::istringstream lines(textOf(machine.root / "proc/meminfo"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name + ":")) continue;
    const std::size_t digit = line.find_first_of("0123456789");
    if (digit != std::string::npos) return numberIn(line.substr(digit)).value_or(0) * 1024;
  }
  return 0;
}

/// The folders of this process's control groups of `controller`, from its own up to the root.
std::vector<std::filesystem::path> groupFolders(const Machine& machine, const std::string& controller) {
  std::vector<std::filesystem::path> folders;
  std::istringstream lines(textOf(machine.root / "proc/self/cgroup"));
  const std::filesystem::path top = machine.root / "sys/fs/cgroup";
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    std::filesystem::path base;
    if (names == ",,")
      base = top;
    else if (names.find("," + controller + ",") != std::string::npos)
      base = top / controller;
    else
      continue;
    const std::filesystem::path own = std::filesystem::path(line.substr(second + 1)).relative_path();
    // In a container the path may be that of the world outside; then its own root is the group.
    std::filesystem::path at = base / own;
    folders.push_back(at);
    for (std::filesystem::path part = own; part.has_relative_path(); part = part.parent_path())
      folders.push_back(base / part.parent_path());
    folders.push_back(base);
  }
  return folders;
}

std::string oneDecimal(double value) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

}  // namespace

std::optional<std::uint64_t> groupMemoryLimit(const Machine& machine) {
  std::optional<std::uint64_t> least;
  for (const std::filesystem::path& folder : groupFolders(machine, "memory"))
    for (const char* file : {"memory.max", "memory.limit_in_bytes"}) {
      const auto limit = numberIn(textOf(folder / file));
      if (limit && *limit < kNoLimit) least = std::min(least.value_or(kNoLimit), *limit);
    }
  return least;
}

std::optional<double> groupProcessorLimit(const Machine& machine) {
  std::optional<double> least;
  const auto add = [&](double quota, double period) {
    if (quota > 0 && period > 0) least = std::min(least.value_or(quota / period), quota / period);
  };
  for (const std::filesystem::path& folder : groupFolders(machine, "cpu")) {
    std::istringstream both(textOf(folder / "cpu.max"));  // "max 100000", "150000 100000"
    std::string quota, period;
    if (both >> quota >> period)
      add(static_cast<double>(numberIn(quota).value_or(0)),
          static_cast<double>(numberIn(period).value_or(0)));
    add(static_cast<double>(numberIn(textOf(folder / "cpu.cfs_quota_us")).value_or(0)),
        static_cast<double>(numberIn(textOf(folder / "cpu.cfs_period_us")).value_or(0)));
  }
  return least;
}

Finding checkProcessors(const Machine& machine, int available) {
  const long all = ::sysconf(_SC_NPROCESSORS_ONLN);
  std::string found = std::to_string(available) + " for this process";
  if (all > available) found += " of " + std::to_string(all);
  const auto limit = groupProcessorLimit(machine);
  if (limit && *limit < available - 0.01)
    return {Status::Warn, found + ", but time for " + oneDecimal(*limit) + " only (control group)",
            "use --processors " + std::to_string(std::max(1, static_cast<int>(*limit)))};
  return {Status::Ok, found, ""};
}

Finding checkMemory(const Machine& machine, std::uint64_t budgetBytes) {
  const std::uint64_t total = memoryLine(machine, "MemTotal"), free = memoryLine(machine, "MemAvailable");
  if (total == 0) return {Status::Warn, "/proc/meminfo does not say how much there is", "mount /proc"};
  std::string found = formatBytes(total) + ", of which " + formatBytes(free) + " are free";
  std::uint64_t usable = free;
  if (const auto limit = groupMemoryLimit(machine)) {
    found += "; the control group allows " + formatBytes(*limit);
    usable = std::min(usable, *limit);
  }
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    found += "; the address space is limited to " + formatBytes(space.rlim_cur);
    usable = std::min<std::uint64_t>(usable, space.rlim_cur);
  }
  found += "; the budget is " + formatBytes(budgetBytes) + " unless --memory says otherwise";
  if (usable < kLeastMemory)
    return {Status::Fail, found, "close other programs, or allow this one more memory"};
  if (usable < budgetBytes)
    return {Status::Warn, found, "give --memory, at most " + std::to_string((usable / 2) >> 20) + "M"};
  return {Status::Ok, found, ""};
}

Finding checkOpenFiles() {
  constexpr rlim_t kFew = 1024, kTooFew = 64;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return {Status::Warn, "how many may be open is not known", ""};
  if (files.rlim_cur == RLIM_INFINITY) return {Status::Ok, "any number may be open", ""};
  const std::string found = std::to_string(files.rlim_cur) + " may be open at a time";
  if (files.rlim_cur >= kFew) return {Status::Ok, found, ""};
  const Status status = files.rlim_cur < kTooFew ? Status::Fail : Status::Warn;
  const std::string needed = found + "; data in many files need more";
  if (files.rlim_max <= files.rlim_cur)
    return {status, needed, "let the administrator raise the limit (nofile)"};
  return {status, needed,
          "raise the limit: ulimit -n " + std::to_string(std::min<rlim_t>(files.rlim_max, 4096))};
}

Finding checkLockedMemory() {
  constexpr rlim_t kEnough = rlim_t{8} << 20;
  rlimit locked{};
  utsname system{};
  if (::getrlimit(RLIMIT_MEMLOCK, &locked) != 0 || ::uname(&system) != 0)
    return {Status::Warn, "how much may be locked is not known", ""};
  int major = 0, minor = 0;
  std::sscanf(system.release, "%d.%d", &major, &minor);
  // Since Linux 5.12 the rings of io_uring count against the control group instead.
  const bool matters = major < 5 || (major == 5 && minor < 12);
  std::string found =
      locked.rlim_cur == RLIM_INFINITY ? "any amount" : formatBytes(locked.rlim_cur) + " may be locked";
  found +=
      std::string("; Linux ") + system.release + (matters ? " takes io_uring from it" : " does not need it");
  if (!matters || locked.rlim_cur >= kEnough) return {Status::Ok, found, ""};
  return {Status::Warn, found, "raise the limit: ulimit -l 65536"};
}

Finding checkUring(const Machine& machine) {
  const std::string why = paging::whyNoUring();
  if (why.empty()) return {Status::Ok, "granted: files are read by it", ""};
  const std::uint64_t off = numberIn(textOf(machine.root / "proc/sys/kernel/io_uring_disabled")).value_or(0);
  return {Status::Warn,
          "not granted (" + why + "); files are read with threads, which costs more processor time",
          off > 0 ? "let the administrator set kernel.io_uring_disabled to 0"
                  : "allow it in the container's seccomp profile, or use Linux 5.6 or later"};
}

}  // namespace farfield::doctor
