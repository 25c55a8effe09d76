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

/// The budget that the error advises when `arguments` are given 1K; empty where that is enough, or where the
/// advised one is not: one step must do.
inline std::string smallestBudget(const std::vector<std::string>& arguments, const RunSettings& settings) {
  const auto with = [&](const std::string& budget) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(), {"--memory", budget});
    return runProgram(words, settings);
  };
  const RunResult refused = with("1K");
  const std::string budget = advisedBudget(refused.errors);
  if (refused.status != 1 || budget.empty() || with(budget).status != 0) return {};
  return budget;
}

}  // namespace farfield::test
