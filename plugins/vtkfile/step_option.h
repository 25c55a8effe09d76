#pragma once
// The option `step`, which shows one step of data alone: also of those whose grid changes from step to step.

#include <charconv>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/arrays/option_words.h"

namespace farfield::vtkfile {

constexpr const char* kStepOption = "step";
/// What is done about bad steps of a list of files: "stop", the default, or "skip".
constexpr const char* kBadStepsOption = "badSteps";

/// Leaves the step that the option names, if it does, of `steps`; negative numbers count from the end. Throws Invalid.
template <class Step>
void keepChosenStep(std::vector<Step>& steps, const arrays::Options& options) {
  const auto found = options.find(kStepOption);
  if (found == options.end()) return;
  const std::string& text = found->second;
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto count = static_cast<std::int64_t>(steps.size());
  if (status != std::errc() || end != text.data() + text.size() || number >= count || number < -count)
    throw Invalid("'" + printable(text) + "' is no step",
                  "there are " + std::to_string(count) + ", from 0 on")
        .at(std::string("option ") + kStepOption);
  Step step = std::move(steps[static_cast<std::size_t>(number < 0 ? number + count : number)]);
  steps.clear();
  steps.push_back(std::move(step));
}

}  // namespace farfield::vtkfile
