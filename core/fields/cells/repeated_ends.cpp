#include "core/fields/cells/repeated_ends.h"

#include <cmath>

#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/cell_samples.h"

namespace farfield::fields {
namespace {

bool isAmrOfCells(const paging::DatasetDescription& data) {
  const auto amr = paging::amrOf(data);
  return amr && amr->onCells;
}

}  // namespace

RepeatedEnds repeatedEndsOf(const paging::DatasetDescription& data, int block, const Bounds& all) {
  RepeatedEnds ends;
  const paging::BlockDescription& its = data.blocks[static_cast<std::size_t>(block)];
  const bool everywhere = paging::areCellSamples(data);
  if (its.isUnstructured() || (!everywhere && !isAmrOfCells(data))) return ends;
  for (std::size_t a = 0; a < 3; ++a) {
    // fewer nodes are no ends with a centre between: a plane, the two sides of its layer, or a coarse level that has ends alone
    if (its.dims[a] < 3) continue;
    const int axis = static_cast<int>(a);
    // between boxes of adaptive grids there are means of both sides
    const double near = std::abs(its.spacing[axis]) / 8;
    ends.low[a] = everywhere || its.bounds.min[axis] - all.min[axis] < near;
    ends.high[a] = everywhere || all.max[axis] - its.bounds.max[axis] < near;
  }
  return ends;
}

bool mayRepeatEnds(const paging::DatasetDescription& data) {
  return paging::areCellSamples(data) || isAmrOfCells(data);
}

}  // namespace farfield::fields
