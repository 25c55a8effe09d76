#include "bench/machine.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include <fstream>
#include <string>

#include "core/base/machine.h"

namespace farfield::bench {
namespace {

/// The value of the first line of `file` that starts with `key`, behind the colon.
std::string valueIn(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto colon = line.find(':');
    const auto begin = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

}  // namespace

double loadAverage() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

Json describeMachine() {
  Json out;
  out["processor"] = valueIn("/proc/cpuinfo", "model name");
  out["processors"] = availableProcessors();
  out["memoryBytes"] = machineMemoryBytes();
  struct utsname system {};
  ::uname(&system);
  out["system"] = std::string(system.sysname) + " " + system.release + " " + system.machine;
#ifdef __VERSION__
  out["compiler"] = __VERSION__;
#endif
  out["loadAverageBefore"] = loadAverage();
  return out;
}

}  // namespace farfield::bench
