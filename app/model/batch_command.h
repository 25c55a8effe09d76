#pragma once
// What a batch run is told so that it makes the pictures of the view.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace farfield::app {

class Document;
class Stage;

/// When particles are let go of which nothing is said, by the object's place in the session. In the window the first step is that of the
/// data, in a batch run the first that is chosen.
std::map<std::size_t, session::ReleaseSteps> releasesInTheWindow(const session::Session& session);

/// Where a change finds the object at that place of a session: "objects.NUMBER". Names go before numbers there, so where an object is
/// called like that the number begins with zeros.
std::string pathOfObject(const std::vector<session::Object>& objects, std::size_t place);

/// The range and the opacities that volumes have by themselves, as they are seen: found from what was read until the first picture, where a
/// batch run reads on. With those that share the scale. Changes for batchCommand().
std::vector<std::string> automaticOfVolumes(const Document& document, const Stage& stage);

/// The command that computes `sessionPath` with no window, for a shell, with `changes` ("PATH=VALUE") and lines `lineScale` times as
/// wide. Of view `view` of several, counted from 1; 0: there is one.
std::string batchCommand(const std::string& sessionPath, std::uint64_t memoryBytes,
                         const std::vector<std::string>& changes = {}, double lineScale = 1, int view = 0);

}  // namespace farfield::app
