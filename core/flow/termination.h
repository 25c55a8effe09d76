#pragma once
// Why a line ended. The codes are written into files (cell data "termination"), so their meaning never
// changes; a new reason gets the next free number.

#include <array>
#include <cstdint>

namespace farfield::flow {

enum class Termination : std::uint8_t {
  None = 0,          ///< not ended; never written
  OutOfDomain = 1,   ///< reached the boundary, or a blanked cell; the last vertex lies just inside
  MaxTime = 2,       ///< |time| is maxTime
  MaxLength = 3,     ///< the arc length is maxLength
  MaxSteps = 4,      ///< it has as many steps as it may have
  Stagnation = 5,    ///< the speed is next to nothing
  SeedOutside = 6,   ///< no unblanked cell holds the seed; the line has no vertex
  StepTooSmall = 7,  ///< the tolerance cannot be met with a step that still moves the point
  OutOfTime = 8,     ///< the time budget of the work is spent; the line may go on
  NotFinite = 9,     ///< the velocity is NaN or infinite beyond the last vertex (or at the seed)
};

inline constexpr int kTerminationCount = 10;

/// "out-of-domain", "max-time", … by code, as they are written into files.
extern const std::array<const char*, kTerminationCount> kTerminationNames;

inline const char* nameOf(Termination reason) {
  return kTerminationNames[static_cast<std::size_t>(reason)];
}

}  // namespace farfield::flow
