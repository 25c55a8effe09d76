#include "app/cli/options/step_choice.h"

#include "core/session/step_text.h"

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
  const auto selection = session::stepsFromText(text);
  if (!selection)
    throw UsageError("'" + text + "' names no steps", "give N, A:B, A:B:S or all").at("--steps");
  try {
    return selection->stepsOf(stepCount);
  } catch (const Error& error) {
    throw Invalid(error.message(), error.action()).at("--steps");
  }
}

std::vector<std::int64_t> stepsShown(const session::TimeSelection& time, std::int64_t count) {
  session::TimeSelection its = time;
  its.steps.first = std::min(its.steps.first, count - 1);
  its.steps.last = std::min(its.steps.last, count - 1);
  std::vector<std::int64_t> steps = its.stepsOf(count);
  // The last one stands for all that the data do not have.
  if (steps.back() != count - 1 && time.steps.last >= count && time.steps.last - steps.back() >= time.stride)
    steps.push_back(count - 1);
  return steps;
}

}  // namespace farfield::cli
