#pragma once
// How the names of PLOT3D grids and of their solutions go together, by the customs that there are: "wing.xyz" and "wing.q",
// "grid3d_fine.xyz" and the steps "q3d_001.q", "q3d_002.q".

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>

namespace farfield::app {

/// What the solution of the grid called `name` may be called, or else the grid of that solution; the likeliest first.
QStringList namesByCustom(const QString& name, bool toSolution);

/// What solutions of the grid `name` may be called where only the grid says how it is written or how fine it is: "q3d.q" for
/// "grid3d_fine.xyz". The word that becomes "q" stays.
QStringList shorterNames(const QString& name);

/// What a solution would be called without its number, as steps are counted: "wing.q" for "wing_002.q". Empty where it has none.
QString seriesNameOf(const QString& solution);

/// Finds the grids of solutions among the files of one folder, by their names: made once for all of them.
class GridFinder {
 public:
  explicit GridFinder(const QStringList& names);
  /// Empty where it is no solution, there is none, or several grids are as likely.
  QString gridOf(const QString& solution) const;

 private:
  QSet<QString> m_names;
  QHash<QString, QStringList> m_bySeries;  ///< the grids whose names say more than their steps'
};

}  // namespace farfield::app
