#pragma once
// Unstructured grids whose cells change from step to step: blocks are those of all steps, each there at one (arranging/mesh_series.h),
// and between two steps there are no values. Said in the data set's attributes, which stores keep.

#include "core/paging/pages/description.h"

namespace farfield::paging {

inline constexpr const char* kCellsChanging = "cells.changing";

inline bool cellsChange(const DatasetDescription& data) {
  return data.attributes.contains(kCellsChanging);
}
inline void sayCellsChange(DatasetDescription& data) {
  data.attributes[kCellsChanging] = "true";
}

}  // namespace farfield::paging
