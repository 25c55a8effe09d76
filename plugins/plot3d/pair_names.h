#pragma once
// How the names of PLOT3D grids and of their solutions go together, by the customs that there are: "wing.xyz" and "wing.q",
// "grid3d_fine.xyz" and the steps "q3d_001.q", "q3d_002.q". Names of files are meant, without folders; nothing is read.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace farfield::plot3d {

/// Whether a file, by its name, holds a solution, which is opened with its grid.
bool isNamedAsSolution(const std::string& name);

/// What the solution of the grid called `name` may be called, or else the grid of that solution; the likeliest first.
std::vector<std::string> namesByCustom(const std::string& name, bool toSolution);

/// What solutions of the grid `name` may be called where only the grid says how it is written or how fine it is: "q3d.q" for
/// "grid3d_fine.xyz". The word that becomes "q" stays.
std::vector<std::string> shorterNames(const std::string& name);

/// What a solution would be called without its number, as steps are counted: "wing.q" for "wing_002.q". Empty where it has none.
std::string seriesNameOf(const std::string& solution);

/// What the grid of `solution` may be called, the likeliest first; empty where it is no solution.
std::vector<std::string> gridNames(const std::string& solution);

/// Finds the grids of solutions among the files of one folder, by their names: made once for all of them.
class GridFinder {
 public:
  explicit GridFinder(const std::vector<std::string>& names);
  /// Empty where it is no solution, there is none, or several grids are as likely.
  std::string gridOf(const std::string& solution) const;

 private:
  std::unordered_set<std::string> m_names;
  /// The grids whose names say more than their steps'.
  std::unordered_map<std::string, std::vector<std::string>> m_bySeries;
};

}  // namespace farfield::plot3d
