#pragma once
// The index of VTK's overlapping AMR (.vth, .vthb; .vtm of old): levels, boxes, and for each box the file with its values.
// Written as vtkOverlappingAMR, or before that as vtkHierarchicalBoxDataSet, of which early versions say ratios and no places.

#include <optional>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "plugins/arrays/byte_source.h"

namespace farfield::vtkamr {

struct IndexedBox {
  IndexBox cells;
  std::string file;  ///< as it is written; empty: none
};

struct IndexedLevel {
  std::vector<IndexedBox> boxes;  ///< in the order of their numbers
  std::optional<Vec3> spacing;
  std::optional<std::int64_t> ratio;  ///< to the next finer level
};

struct AmrIndex {
  std::vector<IndexedLevel> levels;  ///< coarsest first
  std::optional<Vec3> origin;
  bool flat = false;  ///< boxes lie in a plane: one layer of cells along k
};

/// Whether the type of a VTK file is that of such an index, or of another kind of AMR that readIndex() refuses by name.
bool isAmrType(const std::string& type);

/// Throws Corrupt, Unsupported, Io.
AmrIndex readIndex(const arrays::ByteSource& file);

}  // namespace farfield::vtkamr
