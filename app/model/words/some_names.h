#pragma once
// A list of names, as of the files of a long series, that has to be short.

#include <QString>
#include <QStringList>

namespace farfield::app {

/// Names one below the other, or beside: a few of them where there are very many.
QString someNames(const QStringList& names, const QString& between = QStringLiteral("\n"));

}  // namespace farfield::app
