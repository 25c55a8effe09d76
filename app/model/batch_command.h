#pragma once
// What a batch run is told so that it makes the pictures of the view.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace farfield::app {

/// When particles are let go of which nothing is said, by the object's place in the session. In the window the first step is that of the
/// data, in a batch run the first that is chosen.
std::map<std::size_t, session::ReleaseSteps> releasesInTheWindow(const session::Session& session);

/// The command that computes `sessionPath` with no window, for a shell, with `changes` ("PATH=VALUE") and lines `lineScale` times as
/// wide.
std::string batchCommand(const std::string& sessionPath, std::uint64_t memoryBytes,
                         const std::vector<std::string>& changes = {}, double lineScale = 1);

}  // namespace farfield::app
