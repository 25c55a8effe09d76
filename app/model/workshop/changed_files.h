#pragma once
// Files that another program has changed or replaced while their data were open, as a simulation does that begins anew: nothing is read
// from them any more until the data are read again.

#include <QString>
#include <string>

#include "app/model/workshop/workshop_types.h"

namespace farfield::app {

/// Whether reading the data again helps.
bool asksToReadAgain(const Problem& problem);
/// The same of an error's line, which ends with its advice.
bool asksToReadAgain(const QString& line);

/// The file, without its folders, or the address that `message` says has changed; empty where it says something else.
QString changedFile(const std::string& message);

/// Why data are not read again that have nothing to be read; empty: they have.
QString whyNotReadAgain(const session::DataSource& source);

}  // namespace farfield::app
