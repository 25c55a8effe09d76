#pragma once
// Times of several files, which may count from a date of their own each.

#include <vector>

#include "plugins/cf/cf_file.h"

namespace farfield::cf {

/// Makes `times`, in the units of the variable `theirs`, times in those of `wanted`. False, with `times` as they were, if that cannot be:
/// they differ, and are no dates of one calendar.
bool timesIn(const Variable& wanted, const Variable& theirs, std::vector<double>& times);

}  // namespace farfield::cf
