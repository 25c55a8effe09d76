#include "app/ui/widgets/typed_paths.h"

#include <QDir>
#include <QFileDialog>
#include <QRegularExpression>

namespace farfield::ui {

QStringList pathsIn(const QFileDialog& dialog, const QString& line) {
  static const QRegularExpression kQuoted("\"([^\"]+)\"");
  QStringList paths;
  for (auto found = kQuoted.globalMatch(line); found.hasNext();)
    paths.append(dialog.directory().absoluteFilePath(found.next().captured(1)));
  return paths.size() > 1 ? paths : QStringList{dialog.directory().absoluteFilePath(line)};
}

}  // namespace farfield::ui
