#pragma once
// The steps that the window shows, for runs of their own: numbers of steps mean the same there only where the same ones are left out,
// whatever has become of the files since.

#include <QString>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/model/document/document.h"
#include "app/model/stage/stage.h"

namespace farfield::app {

/// Of data that are open, by their names.
struct KnownSteps {
  std::set<std::size_t> leftOut;
  std::size_t steps = 0;  ///< that there are without these
  std::vector<std::string> explanation;
};
std::map<std::string, KnownSteps> knownSteps(const Document& document, const Stage& stage);

/// Gives the data of `session` the files that they have in the window, and names the steps that are left out. What is in the way, in the
/// words of the window; empty: nothing. Looks at the disk: not on the UI thread.
QString keepSteps(session::Session& session, const std::map<std::string, KnownSteps>& known);

/// The same for a command that reads the session's file: what it changes of it.
std::vector<std::string> changesNamingSteps(const Document& document, const Stage& stage);

}  // namespace farfield::app
