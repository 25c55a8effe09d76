#pragma once
// Enzo's hierarchy files: text that names every grid (box), where it is, and the HDF5 file with its values.

#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/memory_account.h"
#include "plugins/arrays/byte_source.h"

namespace farfield::enzo {

struct Grid {
  std::int64_t number = 0;  ///< of its group "/Grid00000012"
  int rank = 3;
  Index3 cells{1, 1, 1};  ///< without ghost zones, as its values are stored
  Vec3 left, right{1, 1, 1};
  double time = 0;
  std::string file;  ///< the last part of the name written there; empty: it has no values
};

/// Memory for the grids is claimed as `claims`. Throws Corrupt, Unsupported, OverBudget.
std::vector<Grid> readHierarchy(const arrays::ByteSource& file, MemoryAccount& account,
                                std::vector<MemoryClaim>& claims);

/// Whether the text, the beginning of a file, is that of a hierarchy file, or of Enzo's parameter file beside one.
bool isHierarchy(const std::string& text);
bool isParameterFile(const std::string& text);

}  // namespace farfield::enzo
