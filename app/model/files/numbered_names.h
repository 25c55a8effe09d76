#pragma once
// Names of files that differ by numbers: which do, their order, and patterns that stand for them.

#include <QString>
#include <QStringList>

namespace farfield::app {

/// "q_0001.q" without its numbers.
QString withoutNumbers(const QString& path);
/// The same of files of one folder whose names differ by numbers alone.
QString seriesKey(const QString& path);
/// In the order of the numbers in their names: 2 comes before 10.
QStringList sortedByNumbers(QStringList paths);
/// Whether it stands for files, as "w_*.vtu" does, and is no file itself. Looks for that; any thread.
bool isPattern(const QString& path);

}  // namespace farfield::app
