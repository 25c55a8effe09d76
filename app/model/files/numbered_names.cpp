#include "app/model/files/numbered_names.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

namespace farfield::app {

QString withoutNumbers(const QString& path) {
  static const QRegularExpression kDigits("[0-9]+");
  return QString(path).replace(kDigits, "#");
}

QString seriesKey(const QString& path) {
  const qsizetype name = path.lastIndexOf('/') + 1;
  return path.left(name) + withoutNumbers(path.mid(name));
}

QStringList sortedByNumbers(QStringList paths) {
  static const QRegularExpression kDigits("[0-9]+");
  std::sort(paths.begin(), paths.end(), [](const QString& a, const QString& b) {
    const auto key = [](const QString& text) {
      QString padded;
      qsizetype at = 0;
      for (auto match = kDigits.match(text); match.hasMatch(); match = kDigits.match(text, at)) {
        padded += text.mid(at, match.capturedStart() - at) + match.captured().rightJustified(20, '0');
        at = match.capturedEnd();
      }
      return padded + text.mid(at);
    };
    return key(a) < key(b);
  });
  return paths;
}

bool isPattern(const QString& path) {
  static const QRegularExpression kOpen("[*?\\[]");
  return !path.contains("://") && path.section('/', -1).contains(kOpen) && !QFileInfo::exists(path);
}

}  // namespace farfield::app
