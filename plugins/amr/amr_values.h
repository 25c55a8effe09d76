#pragma once
// Values at the nodes of boxes, from values of cells or of nodes in files.
//
// At the centre of a cell it is the cell's value. On a face it is the mean of the two cells beside it (at its edge of four, at a
// corner of eight), whichever box of the level they are in; so the field is that between the centres, linear along each axis, and
// boxes of one level show no seam. A cell beside a box that no box of its level holds has the value of the coarser level there,
// linear between the centres of that, or recursively so; beyond the data there is none, and the mean is of the others.
// At faces between levels both sides are of second order, but not equal. Whole numbers are not mixed: a node has the number of
// one of its cells, of its own box if it can.

#include <memory>
#include <vector>

#include "core/base/scalar_type.h"
#include "plugins/amr/amr_hierarchy.h"
#include "plugins/amr/amr_nodes.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::amr {

struct Variable {
  std::string name;
  int components = 1;
  arrays::NumberType type = arrays::NumberType::F32;
  /// Of each box, coarsest level first: values of its cells (or nodes), counted from its first.
  std::vector<arrays::ArrayPlace> boxes;
};

/// Components `first` … of the values of a box at a step, in `place`'s own type. Throws what reading throws.
void readPlace(const arrays::ArrayPlace& place, std::int64_t step, const IndexBox& box, int first, int count,
               std::span<std::byte> out);

/// What all blocks of a data set are made of. Immutable, but for what is added before anything is read.
struct AmrField {
  explicit AmrField(Hierarchy boxes) : cells(std::move(boxes)) {}
  Hierarchy cells;
  bool onCells = true;
  /// Of values on nodes: which node of a level is of which box. Numbers of boxes are those of `cells`.
  std::vector<BoxTree> nodes;
  std::vector<std::size_t> firstBox;  ///< of each level: the number of its first box
  std::vector<BoxNodes> blocks;       ///< of values on cells
  std::vector<IndexBox> blockNodes;   ///< of values on nodes: the nodes of the block, in its level
  std::vector<Variable> variables;

  const BoxTree& samples(int level) const {
    return onCells ? cells.boxes(level) : nodes[static_cast<std::size_t>(level)];
  }
};

/// An arrays::ComputedArray of variable number `variable` at the nodes of box `box` of `level`.
arrays::ComputedArray valuesOf(std::shared_ptr<const AmrField> field, std::size_t variable, int level,
                               std::size_t box);
/// The blanking of the box's nodes.
arrays::ComputedArray blankingOf(std::shared_ptr<const AmrField> field, int level, std::size_t box);

}  // namespace farfield::amr
