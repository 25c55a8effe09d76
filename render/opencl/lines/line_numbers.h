#pragma once
// The structures of resources/kernels/lines.cl: what the kernel is given, and the state of a line between launches.

#include <array>
#include <cstdint>

#include "core/flow/line_state.h"

namespace farfield::opencl {

/// Members of all of these as in lines.cl, all of one size.
template <class Real>
struct LineJobNumbers {
  Real tolerance, hermiteTolerance, maxTime, maxLength, minSpeed, diagonal, smallestLength;
};

template <class Real>
struct LineMotion {
  std::array<Real, 3> xi, vertexXi, position, origin, velocity;
  Real elapsed, elapsedLow, length, lengthLow;
  Real largestSpeed, wish;
};

struct LinePlace {
  std::int32_t slot, cell[3], moved[3], faces;
  std::int32_t direction, steps, status, emitted, rejected;
};

struct BrickLink {
  std::int32_t cells[3], next[6];
};

// Status of a line after a launch.
constexpr std::int32_t kGoing = 0, kMissed = 1, kHandedBack = 2, kEnded = 16;
/// Most vertices of one step. A line takes a step only if there is room for as many.
constexpr std::size_t kMostPieces = 16;

}  // namespace farfield::opencl
