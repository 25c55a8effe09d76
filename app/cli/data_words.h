#pragma once
// What a data set is, in words and numbers, as several commands say it.

#include <cstdint>
#include <string>

#include "core/base/count_text.h"
#include "core/base/geometry.h"
#include "core/paging/pages/description.h"

namespace farfield::cli {

/// "256 x 256 x 128".
std::string dimsText(const Index3& dims);
/// "x 0 … 1  y 0 … 2  z 0 … 1"; nothing of empty bounds.
std::string boundsText(const Bounds& bounds);
/// Of a box of an adaptive grid its own; else with a volume; of a sheet of nodes its faces.
std::int64_t cellsOf(const paging::BlockDescription& block, bool isAmr);
std::int64_t cellsOf(const paging::DatasetDescription& data);

}  // namespace farfield::cli
