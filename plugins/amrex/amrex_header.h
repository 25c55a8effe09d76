#pragma once
// The texts of a plotfile of AMReX, a folder: its Header, and in the folder of each level the list of the boxes there (Cell_H).
// As AMReX's own documentation and code have them ("AMReX Plotfile and Checkpoint Format"; VisMF, FArrayBox).

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/memory_account.h"
#include "plugins/arrays/byte_source.h"
#include "plugins/arrays/number_type.h"

namespace farfield::amrex {

struct PlotLevel {
  Vec3 spacing{1, 1, 1};
  Index3 domainFirst{0, 0, 0};  ///< the first cell of the whole level
  std::int64_t boxes = 0;
  std::string folder, name;  ///< "Level_0", "Cell"
};

struct PlotHeader {
  std::vector<std::string> variables;
  int dimensions = 3;
  double time = 0;
  Vec3 low;             ///< the lower corner of the domain
  int coordinates = 0;  ///< 0: x, y, z; 1: r, z; 2: r
  std::vector<PlotLevel> levels;
};

/// Whether a text begins as a Header does.
bool isPlotHeader(const std::string& head);
/// Throws Corrupt, Unsupported.
PlotHeader readPlotHeader(const arrays::ByteSource& file);

/// Where the values of a box are.
struct BoxPlace {
  IndexBox box;      ///< of cells, without ghosts
  std::string file;  ///< a plain name, in the folder of the level
  std::uint64_t offset = 0;
};
/// The list of a level, which has `boxes` boxes with `components` values. Memory is claimed from `account` and held by `claims`.
/// Throws Corrupt, Unsupported, OverBudget.
std::vector<BoxPlace> readBoxList(const arrays::ByteSource& file, const PlotHeader& header,
                                  const PlotLevel& level, MemoryAccount& account,
                                  std::vector<MemoryClaim>& claims);

/// The values of a box as they are stored: component by component, x fastest.
struct Fab {
  arrays::NumberType type = arrays::NumberType::F64;
  bool bigEndian = false;
  IndexBox box;  ///< with ghosts
  std::int64_t components = 0;
  std::uint64_t begin = 0;  ///< of the first number in the file
};
/// All its numbers are in the file. Throws Corrupt, Unsupported.
Fab readFab(const arrays::ByteSource& file, std::uint64_t offset, int dimensions);

}  // namespace farfield::amrex
