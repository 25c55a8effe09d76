#pragma once
// farfield probe --along: functions along the lines of an object of a session, such as the pressure along the cut of a plane with a wing.

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/options/command.h"

namespace farfield::cli {

struct AlongQuestion {
  std::string session;  ///< its file
  std::string object;
  std::vector<std::string> functions;
  std::string steps;  ///< empty: those that the session shows
  std::string csv;    ///< a file, or "-" for standard output; empty: none
  bool json = false;  ///< to standard output
  bool overwrite = false;
  std::uint64_t memoryBytes = 0;
  int processors = 1;
};

/// Throws UsageError, NotFound, Invalid, Io, OverBudget, Cancelled.
void probeAlong(const AlongQuestion& question, const Context& context);

}  // namespace farfield::cli
