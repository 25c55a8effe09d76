#pragma once
// Adaptive grids (AMR): boxes of cells on several levels, each a block. What makes a block such a box is said in the data set's
// attributes, which stores keep: "amr" ("cells" or "nodes": where the values are), "amr.boxes" (how many boxes each level has,
// coarsest first; blocks are in this order) and "amr.ratio" (cells of the next finer level along an edge, per level).
//
// A box with values of cells is a rectilinear block whose nodes are the centres of its cells, the ends of the box, and planes on
// which a finer box ends; `spacing` is the edge of a cell. What finer boxes cover is blanked. So boxes meet without gap or overlap.
//
// Where boxes change from step to step ("amr.changing"), blocks are those of all steps, and what a step does not have is blank then.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/paging/pages/description.h"

namespace farfield::paging {

struct AmrLevels {
  bool onCells = true;
  std::vector<std::int64_t> boxes;   ///< of each level; together as many as there are blocks
  std::vector<std::int64_t> ratios;  ///< to the next finer level; one fewer than levels

  int levels() const { return static_cast<int>(boxes.size()); }
  int levelOf(int block) const;
};

constexpr int kMostAmrLevels = 64;

/// Sets the attributes.
void sayAmr(DatasetDescription& data, const AmrLevels& levels);
/// Boxes that are there at some steps in a row.
struct AmrArrangement {
  std::int64_t firstStep = 0, steps = 0;
  std::vector<std::int64_t> boxes;  ///< of each level
};
/// Blocks are those of all arrangements: by levels, in a level by arrangements.
void sayBoxesChange(DatasetDescription& data, const std::vector<AmrArrangement>& arrangements);
/// Whether blocks are those of all steps, each blank at steps of other boxes: between two steps there are no values.
bool boxesChange(const DatasetDescription& data);
/// For each block whether it is there at a step; empty: all are, or it is not known. Of unstructured grids that change
/// (changing_cells.h), too.
std::vector<bool> blocksAt(const DatasetDescription& data, std::int64_t step);
/// For each block the first step at which it is there, and the one behind the last; empty as blocksAt.
std::vector<std::array<std::int64_t, 2>> stepsOfBlocks(const DatasetDescription& data);
/// Removes them, where blocks are no such boxes any more.
void forgetAmr(DatasetDescription& data);
/// Whether blocks are such boxes: the finest are the last.
bool isAmr(const DatasetDescription& data);
/// Nothing if the attributes are missing, or do not fit the blocks.
std::optional<AmrLevels> amrOf(const DatasetDescription& data);

/// Cells of a box; of a block that is none those that it says.
std::int64_t amrCells(const BlockDescription& block);
/// For each node of a box with values of cells along an axis, whether it is the centre of a cell, and not an end of a box.
std::vector<bool> amrCentres(const BlockDescription& block, int axis);
/// The cell of a box that holds a point in it.
struct AmrCell {
  Index3 at{0, 0, 0};  ///< counted from the box's first
  Vec3 xi;             ///< of the point in the cell, 0 to 1
  Vec3 centre;
};
AmrCell amrCellAt(const BlockDescription& block, Vec3 point);

}  // namespace farfield::paging
