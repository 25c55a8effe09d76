#pragma once
// Time steps as an option names them: N, A:B, A:B:S or all; negative numbers count from the end.

#include <string>
#include <vector>

#include "app/cli/options/command.h"
#include "core/session/session.h"

namespace farfield::cli {

/// --steps (or --step), into `text`, which gets its default.
Option stepsOption(std::string& text, const std::string& byDefault);

/// The steps that `text` means for data of `stepCount` steps, ascending. Throws UsageError for what is no
/// such text, Invalid when a step is not there.
std::vector<std::int64_t> stepsNamed(const std::string& text, std::int64_t stepCount);

/// The steps that a session with this selection shows of data of `count` steps, ascending. Its other data may have more: these are shown at
/// their last one then. Throws Invalid when a step is not there.
std::vector<std::int64_t> stepsShown(const session::TimeSelection& time, std::int64_t count);

}  // namespace farfield::cli
