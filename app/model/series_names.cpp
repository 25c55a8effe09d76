#include "app/model/series_names.h"

#include <QRegularExpression>
#include <algorithm>

#include "app/model/data_files.h"

namespace farfield::app {

QString nameOfSeries(const QStringList& paths) {
  if (paths.size() < 2) return {};
  QStringList names;
  for (const QString& path : paths) names.append(path.section('/', -1));
  const QString& first = names.front();
  qsizetype before = first.size(), after = first.size();
  for (const QString& name : names) {
    const qsizetype most = std::min(first.size(), name.size());
    qsizetype same = 0;
    while (same < most && first[same] == name[same]) ++same;
    before = std::min(before, same);
    for (same = 0; same < most && first[first.size() - 1 - same] == name[name.size() - 1 - same];) ++same;
    after = std::min(after, same);
  }
  // A number differs as a whole: w_10 and w_11 begin alike with w_, not with w_1.
  while (before > 0 && first[before - 1].isDigit()) --before;
  while (after > 0 && first[first.size() - after].isDigit()) --after;
  static const QRegularExpression kNumbers("^[-_. ]*[0-9][-_. 0-9]*$");
  for (const QString& name : names)
    if (!kNumbers.match(name.mid(before, name.size() - before - after)).hasMatch()) return {};
  static const QRegularExpression kLetter("[A-Za-z]");
  return first.left(before).contains(kLetter) ? first.left(before) + '*' + first.right(after) : QString();
}

QString nameForSteps(const QStringList& paths) {
  QString series = nameOfSeries(paths);
  if (series.isEmpty()) return nameForData(paths.front());
  static const QRegularExpression kStar("[-_. ]*\\*(?=[-_. ]|$)|\\*");
  return nameForData(series.replace(kStar, QString()));
}

}  // namespace farfield::app
