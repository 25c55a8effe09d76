#pragma once
// How thick the cells of data are whose nodes lie anywhere: samples that are further apart miss some of them.

#include <cstdint>
#include <stop_token>

#include "core/fields/paged/paged_data.h"

namespace farfield::volume {

/// In the data's units, what one of twenty cells at `step` is thinner than, by its edges: of all cells of small data, of some tens of
/// thousands all over others. 0: there are none. Reads the coordinates of these. Throws Cancelled, OverBudget, and what reading throws.
double thicknessOfFineCells(fields::PagedData& data, const fields::FunctionPlan& functions, std::int64_t step,
                            MemoryAccount& account, const std::stop_token& stop);

}  // namespace farfield::volume
