#pragma once
// The smallest memory budget of a job, found as a user finds it: by asking for too little and doing what the
// error says.

#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace farfield::test {

/// "437K" from "…; give at least --memory 437K…"; empty where the text names none.
inline std::string advisedBudget(const std::string& text) {
  const std::string before = "--memory ";
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return {};
  const std::size_t first = at + before.size(), end = text.find_first_not_of("0123456789", first);
  return end == std::string::npos || text[end] != 'K' ? std::string() : text.substr(first, end + 1 - first);
}

/// The budget that the error advises when `arguments` are given 1K; empty where that is enough. It must be
/// enough in one step: who uses it checks that what it is used for succeeds.
inline std::string smallestBudget(std::vector<std::string> arguments, const RunSettings& settings) {
  arguments.insert(arguments.end(), {"--memory", "1K"});
  const RunResult refused = runProgram(arguments, settings);
  return refused.status == 1 ? advisedBudget(refused.errors) : std::string();
}

}  // namespace farfield::test
