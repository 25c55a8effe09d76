#pragma once
// What documents call the choices of how objects are made and look, and of what is plotted, in the order of the enumerations.

#include <array>
#include <cstdint>

namespace farfield::session {

inline constexpr std::array<const char*, 3> kEngineNames{"cpu", "opencl", "auto"};
inline constexpr std::array<const char*, 3> kLightingNames{"off", "soft", "full"};
/// In the order of RangeOf.
inline constexpr std::array<const char*, 4> kRangeNames{"auto", "symmetric", "step", "data"};
inline constexpr std::array<const char*, 5> kLineFormNames{"lines", "tubes", "ribbons", "arrows",
                                                           "particles"};
inline constexpr std::array<const char*, 4> kPlotKindNames{"line", "time", "values", "along"};
inline constexpr std::array<const char*, 4> kPlotOverNames{"length", "x", "y", "z"};
/// PlotChoice::place: all places of all probes of the data that are shown.
inline constexpr std::int64_t kAllPlaces = -1;
inline constexpr const char* kAllPlacesName = "all";
/// PlotChoice::data: all that have the function. No name of data has such a letter (terms.h).
inline constexpr const char* kAllData = "*";

}  // namespace farfield::session
