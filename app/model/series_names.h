#pragma once
// What files that are steps of one series are called together.

#include <QString>
#include <QStringList>

namespace farfield::app {

/// Of several files whose names differ by numbers what these have in common, "w_*.vtu" of w_0.vtu and w_1.vtu; empty where
/// they differ otherwise, or have nothing but their ending in common.
QString nameOfSeries(const QStringList& paths);
/// The name for data of these files: that of the first one, without what tells the steps of a series apart.
QString nameForSteps(const QStringList& paths);

}  // namespace farfield::app
