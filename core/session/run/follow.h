#pragma once
// A session over data that grow while it runs, such as those of a simulation: what is there is computed, then the
// files are watched, and whenever there are more steps the run goes on with them. It ends when nothing has come for a
// while, or is stopped and can be resumed like any other.
//
// A step counts as there once its files have not changed between two looks and the data open with it. Until then, and
// while a writer is in the middle of a file, the run waits.

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "core/session/run/file_look.h"
#include "core/session/run/runner.h"

namespace farfield::session {

struct FollowOptions {
  std::chrono::milliseconds interval{1000};  ///< between looks
  /// How long nothing has to come for the run to end; none: it goes on until it is stopped.
  std::optional<std::chrono::milliseconds> idle = {};
  /// At the files, in place of lookAt(). Throws nothing but Cancelled.
  std::function<FileLook(const Session&)> look = lookAt;
  /// Called before each pass over the data, on the calling thread: files are declared anew.
  std::function<void()> beginPass = {};
  /// What it waits for, when that changes.
  std::function<void(const std::string&)> waiting = {};
};

/// runSession() for what is there, and again for what comes. The last pass finishes files of the whole run. `options` are
/// those of the first pass; the others leave out what is there. Of its statistics, times and counts are sums over
/// all passes. Throws what runSession() throws; what is wrong with data that are being written only once it is time to end.
RunStats followSession(const Session& session, const fields::ReaderRegistry& readers, RunOptions options,
                       const FollowOptions& follow, std::stop_token stop);

}  // namespace farfield::session
