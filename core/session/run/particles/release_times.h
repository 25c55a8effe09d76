#pragma once
// When particles are let go: what a session says of it, as times of the data.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/session/terms.h"

namespace farfield::session {

/// All particles are let go after the last chosen step.
struct NothingYet : Invalid {
  using Invalid::Invalid;
};

/// Ascending, one at least, none after the last of the `chosen` steps. `everyStep`: where nothing is said, at each step from the first chosen
/// one to the last instead of at the first alone. `times`: of the data's steps, ascending. Throws Invalid, which names the key, where
/// there is no release (NothingYet), one before the data, or a step that does not exist.
std::vector<double> releaseTimes(const Release& release, bool everyStep, std::span<const double> times,
                                 std::span<const std::int64_t> chosen);

}  // namespace farfield::session
