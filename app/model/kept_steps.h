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
  std::size_t steps = 0;   ///< that there are without these
  bool lacksSome = false;  ///< or those whose files are missing
  std::vector<std::string> explanation;
};
std::map<std::string, KnownSteps> knownSteps(const Document& document, const Stage& stage);

/// Gives the data of `session` the files that they have in the window, and names the steps that are left out. What is in the way, in the
/// words of the window; empty: nothing. Looks at the disk: not on the UI thread.
QString keepSteps(session::Session& session, const std::map<std::string, KnownSteps>& known);

/// Whether steps are left out of any: otherwise a run has the same ones by itself.
bool areLeftOut(const std::map<std::string, KnownSteps>& known);

/// What keepSteps() is for a command that reads the file of `session`: what it changes of it ("PATH=VALUE"). The files are named where a
/// pattern finds others by now. `problem` is what is in the way, if anything. Looks at the disk: not on the UI thread.
std::vector<std::string> changesNamingSteps(const session::Session& session,
                                            const std::map<std::string, KnownSteps>& known, QString& problem);

}  // namespace farfield::app
