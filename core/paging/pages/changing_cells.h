#pragma once
// Unstructured grids whose cells change from step to step: blocks are those of all steps, each there at one (arranging/mesh_series.h),
// and between two steps there are no values. Said in the data set's attributes, which stores keep.

#include "core/paging/pages/description.h"

namespace farfield::paging {

inline constexpr const char* kCellsChanging = "cells.changing";

/// Stores that were resampled of such data may say so as well, and have one grid for all steps.
inline bool cellsChange(const DatasetDescription& data) {
  return data.attributes.contains(kCellsChanging) && !data.blocks.empty() &&
         data.blocks.front().isUnstructured();
}
/// Of what is shown of `data` at a step, which has these bounds, what a view of everything is fitted to: where each step has other cells
/// that of all, or what shrinks would seem to stand still.
inline Bounds boundsInTime(Bounds shown, const DatasetDescription& data) {
  if (!shown.empty() && cellsChange(data))
    for (const BlockDescription& block : data.blocks) shown.add(block.bounds);
  return shown;
}
inline void sayCellsChange(DatasetDescription& data) {
  data.attributes[kCellsChanging] = "true";
}

}  // namespace farfield::paging
