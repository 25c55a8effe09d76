#include "app/model/files/series_names.h"

#include <QRegularExpression>
#include <algorithm>
#include <optional>

#include "app/model/files/data_files.h"
#include "core/base/error.h"
#include "core/fields/functions/open_data.h"
#include "core/fields/words/number_pattern.h"

namespace farfield::app {
namespace {

/// What names that differ by numbers have in common.
struct Common {
  QString before, after;
};

/// Of the last parts of `paths`; nothing where they differ otherwise.
std::optional<Common> commonOf(const QStringList& paths) {
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
  return Common{first.left(before), first.right(after)};
}

}  // namespace

QString nameOfSeries(const QStringList& paths) {
  const auto common = commonOf(paths);
  static const QRegularExpression kLetter("[A-Za-z]");
  return common && common->before.contains(kLetter) ? common->before + '*' + common->after : QString();
}

QString patternThatFinds(const QStringList& paths) {
  const auto common = commonOf(paths);
  // In a pattern these stand for others.
  static const QRegularExpression kSpecial("[*?\\[\\\\]");
  if (!common || (common->before + common->after).contains(kSpecial)) return {};
  const QString pattern = paths.front().left(paths.front().lastIndexOf('/') + 1) + common->before +
                          fields::kNumbers + common->after;
  return filesOf(pattern) == paths ? pattern : QString();
}

QStringList filesOf(const QString& path) {
  QStringList files;
  try {
    for (const std::string& file : fields::expandPattern(path.toStdString()))
      files.append(QString::fromStdString(file));
  } catch (const Error&) {
    // Opening says that there are none.
    return {path};
  }
  return files;
}

QString shownPattern(QString path) {
  return path.replace(fields::kNumbers, QStringLiteral("*"));
}

QString nameForSteps(const QStringList& paths) {
  QString series = nameOfSeries(paths);
  if (series.isEmpty()) return nameForData(paths.front());
  static const QRegularExpression kStar("[-_. ]*\\*(?=[-_. ]|$)|\\*");
  return nameForData(series.replace(kStar, QString()));
}

}  // namespace farfield::app
