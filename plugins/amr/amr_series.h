#pragma once
// Adaptive grids whose boxes change from step to step, as programs that refine where it is needed write them: one data set with the
// boxes of all steps as blocks. At every step the boxes of other steps are blank, so whatever goes over blocks sees those of the
// step alone. Steps in a row with equal boxes share their blocks.

#include <vector>

#include "core/base/memory_account.h"
#include "plugins/amr/amr_dataset.h"

namespace farfield::amr {

/// `steps`: one or more, each with one time or several, in their order; times that do not ascend become numbers of steps. Variables
/// that not all have are left out, with a note. Throws what datasetOf() throws; Unsupported if values are of cells here and of nodes
/// there, or levels divide cells otherwise.
AmrData seriesOf(std::vector<AmrInput> steps, MemoryAccount& account);

}  // namespace farfield::amr
