#pragma once
// What plugins/plot3d says of the names of grids and solutions, in the window's kind of text.

#include <QString>
#include <QStringList>

#include "plugins/plot3d/pair_names.h"

namespace farfield::app {

/// What the solution of the grid called `name` may be called, or else the grid of that solution; the likeliest first.
QStringList namesByCustom(const QString& name, bool toSolution);

/// What solutions of the grid `name` may be called where only the grid says how it is written or how fine it is.
QStringList shorterNames(const QString& name);

/// Finds the grids of solutions among the files of one folder, by their names: made once for all of them.
class GridFinder {
 public:
  explicit GridFinder(const QStringList& names);
  /// Empty where it is no solution, there is none, or several grids are as likely.
  QString gridOf(const QString& solution) const;

 private:
  plot3d::GridFinder m_finder;
};

}  // namespace farfield::app
