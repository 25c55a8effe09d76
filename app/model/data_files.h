#pragma once
// From the files that somebody picked to data that can be opened: which is the grid, which are its solutions,
// and what lies beside them under a name that goes with theirs.

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace farfield::app {

enum class FileKind { Session, Data };
/// By the name and the first bytes; looks into the file.
FileKind kindOf(const QString& path);

/// Data to be opened, with absolute paths.
struct DataFiles {
  QString source;
  QStringList solutions;  ///< several: steps, in order
  bool operator==(const DataFiles&) const = default;
};

/// Puts together what belongs together. A lone grid gets the solution that lies beside it under a name that
/// goes with its own ("wing.xyz" and "wing.q", "bluntfinxyz.bin" and "bluntfinq.bin"), a lone solution its
/// grid. Several solutions that go with one grid are its steps. Looks into folders; any thread.
std::vector<DataFiles> pairFiles(const QStringList& paths);

/// A name for data: that of the file without its ending, with what cannot be in a name left out.
QString nameForData(const QString& source);
session::DataSource dataSource(const DataFiles& files, const std::string& name);

}  // namespace farfield::app
