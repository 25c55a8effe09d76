#pragma once
// Time steps as command lines name them: N, A:B, A:B:S or all; negative numbers count from the end.

#include <optional>
#include <string>

#include "core/session/session.h"

namespace farfield::session {

/// Nothing for what is no such text.
std::optional<TimeSelection> stepsFromText(const std::string& text);

}  // namespace farfield::session
