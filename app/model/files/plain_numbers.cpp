#include "app/model/files/plain_numbers.h"

#include <QFileInfo>
#include <algorithm>
#include <string>
#include <vector>

#include "app/model/files/data_files.h"
#include "app/model/files/numbered_names.h"
#include "app/model/files/series_names.h"
#include "core/fields/words/series_gaps.h"
#include "plugins/formats/known_files.h"

namespace farfield::app {

bool isNamedAsNumbers(const QString& path) {
  // A grid's ending that others have, too.
  static const QString kOfAnything = QStringLiteral("bin");
  const QString ending = path.section('/', -1).section('.', -1).toLower();
  return !path.contains("://") && !saysItsFormat(path) &&
         (ending == kOfAnything || !plot3dEndings().contains(ending));
}

bool mayBePlainNumbers(const QString& path) {
  const QFileInfo file(path);
  if (path.endsWith(".raw")) return file.isFile() && file.size() > 0;  // whatever it looks like
  return isNamedAsNumbers(path) && file.isFile() && file.size() > 0 && foreignKind(path).isEmpty() &&
         !formats::isKnown(path.toStdString());
}

QHash<QString, QString> stacksAmong(const QStringList& paths) {
  QHash<QString, QStringList> alike;
  for (const QString& path : paths)
    if (isNamedAsNumbers(path))
      if (const QFileInfo file(path); file.isFile() && file.size() > 0)
        alike[QString::number(file.size()) + ' ' + seriesKey(path)].append(path);
  QHash<QString, QString> stacks;
  for (auto each = alike.cbegin(); each != alike.cend(); ++each) {
    const QStringList& files = *each;
    // All were written alike: two of them, of which one may be black, tell what they are.
    if (files.size() > 1 && mayBePlainNumbers(files.front()) && mayBePlainNumbers(files.back()))
      for (const QString& path : files) stacks[path] = each.key();
  }
  return stacks;
}

bool isStack(const DataFiles& files) {
  return !files.later.isEmpty() && isNamedAsNumbers(files.source) && !isNamedAsSolution(files.source);
}

std::optional<NumberFiles> sizesOf(const QStringList& paths) {
  NumberFiles sizes{.count = 0};
  QStringList names;
  for (const QString& path : paths)
    for (const QString& one : filesOf(path)) {
      const QFileInfo file(one);
      if (!file.isFile()) return {};
      sizes.least = sizes.count == 0 ? file.size() : std::min<std::int64_t>(sizes.least, file.size());
      sizes.bytes += file.size();
      ++sizes.count;
      names.append(one);
    }
  std::vector<std::string> inOrder;
  for (const QString& name : sortedByNumbers(names)) inOrder.push_back(name.section('/', -1).toStdString());
  for (const fields::SeriesGap& gap : fields::gapsIn(inOrder))
    sizes.missing.append(QString::fromStdString(gap.file));
  return sizes.count == 0 ? std::nullopt : std::optional(sizes);
}

}  // namespace farfield::app
