#include "app/model/workshop/changed_files.h"

#include <QObject>

#include "core/base/changed_file.h"

namespace farfield::app {

bool asksToReadAgain(const Problem& problem) {
  return problem.advice == kOpenAgain;
}

bool asksToReadAgain(const QString& line) {
  return line.endsWith(QStringLiteral("; ") + kOpenAgain);
}

QString changedFile(const std::string& message) {
  const QString text = QString::fromStdString(message), end = QStringLiteral(": ") + kHasChanged;
  if (!text.endsWith(end)) return {};
  // The innermost place, behind the block, the array and the page that were to be read.
  QString place = text.chopped(end.size());
  static const QString kFile = QStringLiteral("file ");
  if (const auto at = place.lastIndexOf(": " + kFile); at >= 0)
    place.remove(0, at + 2);
  else if (!place.startsWith(kFile))
    place = place.section(": ", -1);
  if (place.startsWith(kFile)) place.remove(0, kFile.size());
  return place.contains("://") ? place : place.section('/', -1, -1, QString::SectionSkipEmpty);
}

QString whyNotReadAgain(const session::DataSource& source) {
  const QString first = source.source.empty() ? QString() : QString::fromStdString(source.source.front());
  if (first.startsWith("sample://")) return QObject::tr("A sample is computed, not read.");
  if (first.startsWith("slab://")) return QObject::tr("They are open where they are rendered.");
  return {};
}

}  // namespace farfield::app
