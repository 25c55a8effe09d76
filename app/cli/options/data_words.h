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

}  // namespace farfield::cli
