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

/// A budget with which `arguments` do their work, while one of 1K does not and says so; empty where there is
/// none. Opening data and sharing out memory may each have something to say.
inline std::string smallestBudget(const std::vector<std::string>& arguments, const RunSettings& settings) {
  std::string budget = "1K";
  for (int asked = 0; asked < 8; ++asked) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(), {"--memory", budget});
    const RunResult result = runProgram(words, settings);
    if (result.status == 0) return asked > 0 ? budget : std::string();
    budget = advisedBudget(result.errors);
    if (budget.empty()) break;
  }
  return {};
}

}  // namespace farfield::test
