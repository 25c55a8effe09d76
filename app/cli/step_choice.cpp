#include "app/cli/step_choice.h"

#include <charconv>

#include "core/session/session.h"

namespace farfield::cli {

Option stepsOption(std::string& text, const std::string& byDefault) {
  text = byDefault;
  Option option{"--step,--steps",
                "STEPS",
                "time steps: N, A:B, A:B:S (every S-th) or all; negative numbers count from the end",
                &text,
                false,
                byDefault};
  option.knownWords = {"all"};
  return option;
}

std::vector<std::int64_t> stepsNamed(const std::string& text, std::int64_t stepCount) {
  const auto wrong = [&] {
    return UsageError("'" + text + "' names no steps", "give N, A:B, A:B:S or all").at("--steps");
  };
  session::TimeSelection selection;
  if (text != "all") {
    std::vector<std::int64_t> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
      std::int64_t number = 0;
      const auto [after, failure] = std::from_chars(at, end, number);
      if (failure != std::errc{} || numbers.size() == 3) throw wrong();
      numbers.push_back(number);
      if (after == end) break;
      if (*after != ':') throw wrong();
      at = after + 1;
    }
    selection.steps = {numbers[0], numbers.size() > 1 ? numbers[1] : numbers[0]};
    if (numbers.size() > 2) selection.stride = numbers[2];
    if (selection.stride < 1) throw wrong();
  }
  try {
    return selection.stepsOf(stepCount);
  } catch (const Error& error) {
    throw Invalid(error.message(), error.action()).at("--steps");
  }
}

}  // namespace farfield::cli
