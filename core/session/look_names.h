#pragma once
// What documents call the choices of how objects are made and look, in the order of the enumerations.

#include <array>

namespace farfield::session {

inline constexpr std::array<const char*, 3> kEngineNames{"cpu", "opencl", "auto"};
inline constexpr std::array<const char*, 3> kLightingNames{"off", "soft", "full"};
inline constexpr std::array<const char*, 5> kLineFormNames{"lines", "tubes", "ribbons", "arrows",
                                                           "particles"};

}  // namespace farfield::session
