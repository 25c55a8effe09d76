#include "app/model/words/some_names.h"

#include <QCoreApplication>

namespace farfield::app {

QString someNames(const QStringList& names, const QString& between) {
  constexpr qsizetype kMost = 8;
  if (names.size() <= kMost + 1) return names.join(between);
  const QString more = QCoreApplication::translate("Names", "and %1 more").arg(names.size() - kMost);
  return (names.mid(0, kMost) + QStringList{more}).join(between);
}

}  // namespace farfield::app
