#pragma once
// What documents call the choices of how objects are made and look, and of what is plotted, in the order of the enumerations.

#include <array>

namespace farfield::session {

inline constexpr std::array<const char*, 3> kEngineNames{"cpu", "opencl", "auto"};
inline constexpr std::array<const char*, 3> kLightingNames{"off", "soft", "full"};
inline constexpr std::array<const char*, 5> kLineFormNames{"lines", "tubes", "ribbons", "arrows",
                                                           "particles"};
inline constexpr std::array<const char*, 3> kPlotKindNames{"line", "time", "values"};

}  // namespace farfield::session
