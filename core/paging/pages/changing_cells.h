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
inline void sayCellsChange(DatasetDescription& data) {
  data.attributes[kCellsChanging] = "true";
}

}  // namespace farfield::paging
