#pragma once
// What files that are steps of one series are called together, and the pattern that finds them.

#include <QString>
#include <QStringList>

namespace farfield::app {

/// Of several files whose names differ by numbers what these have in common, "w_*.vtu" of w_0.vtu and w_1.vtu; empty where
/// they differ otherwise, or have nothing but their ending in common.
QString nameOfSeries(const QStringList& paths);
/// The name for data of these files: that of the first one, without what tells the steps of a series apart.
QString nameForSteps(const QStringList& paths);
/// A pattern for the numbers of these files, which finds them in this order and nothing else, so that it stands for the series with all
/// steps that are yet to come; empty where there is none, as where more such files lie beside them. Looks into the folder; any thread.
QString patternThatFinds(const QStringList& paths);
/// The files that a pattern finds; a name alone, and a pattern that finds nothing, are themselves. Looks into the folder; any thread.
QStringList filesOf(const QString& path);
/// As people read a path that may be such a pattern: "/a/w_*.vtu".
QString shownPattern(QString path);

}  // namespace farfield::app
