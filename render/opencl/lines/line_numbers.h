#pragma once
// What the kernel of lines is told, and keeps of a line between launches: structures of the layout of resources/kernels/lines.cl.

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

// What a line stands at.
constexpr std::int32_t kGoing = 0, kMissed = 1, kHandedBack = 2, kEnded = 16;
/// Vertices that a step may have; so much room must be left for a line to take one.
constexpr std::size_t kMostPieces = 16;

}  // namespace farfield::opencl
