#pragma once
// Vectors whose parts are variables of their own: "u", "v" and "w", or "u" and "v" alone, as oceans have them that are carried along
// their layers. Files do not say that they belong together, but their names do.

#include <array>
#include <string>
#include <vector>

#include "app/first/data_summary.h"

namespace farfield::app {

/// As sessions name such vectors: three functions each, the last of two parts being "0". Parts have the same units, and names that differ
/// in the letter of the direction alone: "uo" and "vo", "wind_u_10m" and "wind_v_10m", "speed-x", "speed-y" and "speed-z".
std::vector<std::array<std::string, 3>> namedVectors(const DataSummary& data);

}  // namespace farfield::app
