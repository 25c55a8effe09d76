#pragma once
// From the files that somebody picked to data that can be opened: which is the grid, which are its solutions,
// and what lies beside them under a name that goes with theirs.

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace farfield::app {

enum class FileKind {
  Session,
  Data,
  Folder,
  Foreign  ///< a JSON document that is no session
};
/// By the name and the first bytes; looks into the file.
FileKind kindOf(const QString& path);

/// What a file is that is not of data, "a text file", "a PDF document"; empty where its first bytes do not tell, it cannot be read, or
/// it is text and its name says of which format of data it is. Looks into the file; any thread.
QString foreignKind(const QString& path);
/// What is said of what cannot be opened because nobody knows its format: those that are known.
QString foreignAdvice();

/// Data to be opened, with absolute paths.
struct DataFiles {
  QString source;
  QStringList solutions;                            ///< several: steps, in order
  std::map<std::string, std::string> options = {};  ///< of the reader
  QStringList later = {};   ///< the steps, or planes, after `source`, in order, where a file is one
  bool gridBySize = false;  ///< the grid was found by the sizes of its blocks, which is to be said
  QString series = {};      ///< a pattern that finds just the steps, now; empty: none does, or not looked for
  bool operator==(const DataFiles&) const = default;
};

/// Puts together what belongs together. A lone grid gets the solution that lies beside it under a name that
/// goes with its own ("wing.xyz" and "wing.q", "bluntfinxyz.bin" and "bluntfinq.bin"), a lone solution its
/// grid, or else the only file beside it whose blocks have its sizes; without such a one a lone grid gets the numbered ones ("wing_001.q", "wing_002.q") as steps. Several
/// solutions that go with one grid are its steps. So are files of a format whose files may be steps, where only numbers
/// in their names differ ("flow_1.vtu", "flow_2.vtu"), and slices of plain numbers (plain_numbers.h). Looks into folders and files; any thread.
std::vector<DataFiles> pairFiles(const QStringList& paths);

/// Of files called `names` the steps of the grid called `grid`, in their order, whose names go with its own but for a number.
QStringList stepsAmong(const QString& grid, const QStringList& names);

/// Whether a file, by its name, holds a PLOT3D solution, which is opened with its grid.
bool isNamedAsSolution(const QString& path);
/// What its grid may be called, the likeliest first; empty where it is none.
QStringList gridNames(const QString& solution);
/// Of files called `names` the grid of the solution called `solution`; empty where it is no solution, or there is none.
QString gridAmong(const QString& solution, const QStringList& names);

/// What comes of paths that were picked, dropped or named together.
struct Picked {
  QString session;              ///< takes the place of what is open; empty: none
  std::vector<DataFiles> data;  ///< none where there is a session
  QStringList remarks;          ///< what is not opened and why, a sentence each
  bool isEmpty() const { return session.isEmpty() && data.empty(); }
};
/// A pattern stands for the files that it finds, a folder for the data in it (not in folders below), or, where
/// there are none, for the session in it. Looks into files and folders; any thread.
class PathSorter {
  Q_DECLARE_TR_FUNCTIONS(PathSorter)
 public:
  static Picked sort(const QStringList& paths);
};
/// Endings of the names of data files, without the dot: those that a folder is searched for.
QStringList plot3dEndings();
/// Of formats that are recognized by their first bytes: what a dialog calls them, and the usual endings.
struct FileFormat {
  QString name;
  QStringList endings;
};
const QList<FileFormat>& markedFormats();
QStringList storeEndings();
/// Whether the ending of a name says of which of these formats it is, or that it is a store.
bool saysItsFormat(const QString& path);

/// A name for data: that of the file without its ending, with what cannot be in a name left out.
QString nameForData(const QString& source);
/// A series that a pattern finds is this pattern, so that steps that come are its own (0334).
session::DataSource dataSource(const DataFiles& files, const std::string& name);
/// An option as a session has it: a number, true or false, or text.
session::OptionValue optionOf(const std::string& text);

}  // namespace farfield::app
