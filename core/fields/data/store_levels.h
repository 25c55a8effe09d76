#pragma once
// Levels of detail of a store that was converted without: of widely spaced nodes, read through its pages as they are
// looked at, with the ranges that its index has of those. The same values as convert --levels gives.

#include <memory>

#include "core/fields/data/strided_reader.h"
#include "core/fields/functions/open_data.h"

namespace farfield::fields {

/// How many levels OpenData::openLevel() of `data` makes in this way, level 0 included: 1 where they have levels of their own, are no store of
/// this machine, or have curvilinear or unstructured blocks.
int stridedLevelsOf(const OpenData& data);

/// Level `level` (1 or more, less than stridedLevelsOf() of them) of `data`, which outlive it and have summaries of all
/// pages. `pages` read them. Memory is claimed as in DataReader::open. Throws OverBudget.
std::unique_ptr<OpenData> openStridedLevel(const OpenData& data, std::shared_ptr<const StridedReader> pages,
                                           int level, const std::string& name, MemoryAccount& account);

}  // namespace farfield::fields
