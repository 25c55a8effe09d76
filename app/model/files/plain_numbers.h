#pragma once
// Files that nobody knows may be plain numbers: which they are, and which of those that were picked together are one volume, a slice in each
// ("slice_001.bin", "slice_002.bin").

#include <QHash>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

namespace farfield::app {

struct DataFiles;

/// Whether a file may be plain numbers by its name: it says of no other format, and is that of no grid.
bool isNamedAsNumbers(const QString& path);
/// Whether it may be by what is in it as well: no format begins so or has its size, and it is neither a text nor a picture. Looks into
/// the file; any thread.
bool mayBePlainNumbers(const QString& path);

/// Of files that may be plain numbers what those have in common that are one data set: of one folder, of names that differ by numbers alone,
/// and of one size, several of each. Nothing of others. Looks into files; any thread.
QHash<QString, QString> stacksAmong(const QStringList& paths);
/// Whether several such files are these data.
bool isStack(const DataFiles& files);

/// How large files of plain numbers are.
struct NumberFiles {
  std::int64_t count = 1;
  std::int64_t bytes = 0;  ///< of all together
  std::int64_t least = 0;  ///< of the smallest one
  /// Names that are left out among those of the files, as of a series of which few are not there.
  QStringList missing = {};
};
/// None where one of them is no file of this machine. Patterns stand for what they find. Looks at files; any thread.
std::optional<NumberFiles> sizesOf(const QStringList& paths);

}  // namespace farfield::app
