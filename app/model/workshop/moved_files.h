#pragma once
// Data whose files are not where a session says: they were moved, or the session comes from another machine. Whoever shows where one
// of them is now shows where the others are that lay beside it.

#include <QString>
#include <map>
#include <string>
#include <vector>

#include "app/model/workshop/workshop_types.h"
#include "core/session/session.h"

namespace farfield::app {

class Document;

/// Whether `source` could not be opened because a file of it on this machine is not there.
bool isNotThere(const session::DataSource& source, const Problem& problem);

/// The first file of these data that is not there, or the first pattern that nothing matches, and the same of their solution; empty where
/// all are there. Looks at the disk.
std::vector<std::string> firstNotThere(const session::Session& session, const session::DataSource& source);

/// Where the names of `session` that are not there lead to now, by what is written in it: `missing`, the first that firstNotThere() gives, to
/// `chosen`, and what lay in the same folder, or below it, to the same places at the new one, if it is there. Where `chosen` is, by its
/// name, the solution of the grid that is missing, or the grid of the solution, it only says where that folder is. Looks at the disk.
std::map<std::string, std::string> movedNames(const session::Session& session, const std::string& missing,
                                              const std::string& chosen);

/// Takes those names for the old ones, as one step. Objects keep their data, which are opened from there.
void takeMoved(Document& document, const std::string& dataName,
               const std::map<std::string, std::string>& moved);

}  // namespace farfield::app
