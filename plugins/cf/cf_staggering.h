#pragma once
// Staggered grids (Arakawa's C grid): components of a velocity lie on the faces of cells and everything else at their centres, so that each has dimensions of its own. Which of them lie beside
// each other, and where, is said by the file: by the SGRID conventions (sgrid.github.io/sgrid), by the attribute c_grid_axis_shift (the conventions of COMODO, which CROCO and MITgcm's files follow), or by
// the names of dimensions of ROMS and WRF.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugins/cf/cf_file.h"

namespace farfield::cf {

class Staggering {
 public:
  explicit Staggering(const File& file);

  /// How numbers along `dimension` lie beside nodes along `centres`, which are centres of cells: on them, or `between` them, and then node n lies between the numbers n + lower and n + lower + 1. Nothing if they lie
  /// elsewhere, or a node has no number beside it.
  struct Beside {
    bool between = false;
    std::int64_t lower = 0;
  };
  std::optional<Beside> beside(int dimension, int centres) const;

  /// The dimension of centres beside which `dimension` lies, of several the one that most variables have; -1 if there is none. One that nothing is known of is its own.
  int centresOf(int dimension) const;
  /// Whether `dimension` is known to lie elsewhere than the centres.
  bool isShifted(int dimension) const;

 private:
  /// Where the nodes of a dimension lie: node n at 2n + `halves` halves of a cell, from an origin that all dimensions along `axis` share.
  struct Station {
    std::string axis;
    int halves = 0;
    bool isCentre = false;
  };
  void addTopologies();
  void addShifts();
  void addNames();
  void add(const std::string& dimension, Station station);
  const std::optional<Station>& stationOf(int dimension) const {
    return m_stations[static_cast<std::size_t>(dimension)];
  }

  const File& m_file;
  std::map<std::string, std::size_t> m_numbers;    ///< of dimensions, by names
  std::vector<std::optional<Station>> m_stations;  ///< by numbers of dimensions
  std::vector<int> m_uses;                         ///< variables that have it
};

}  // namespace farfield::cf
