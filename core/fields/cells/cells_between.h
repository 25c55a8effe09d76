#pragma once
// What many paths need of a cell on the way from one step of the data to the next, as plain numbers: the code that moves
// several particles at once (core/flow/particle_group.h) takes a cell once for all particles that go through it.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/geometry.h"
#include "core/fields/cells/trilinear.h"

namespace farfield::fields {

/// A hexahedron of a structured block.
struct CellBetween {
  std::int32_t block = -1;
  std::int64_t number = -1;
  Index3 at{0, 0, 0}, cells{0, 0, 0};  ///< its index, and how many cells the block has
  bool blank = false;                  ///< at one of the two steps
  bool moves = false;                  ///< `nextMap` counts
  bool searched = false;               ///< points in it are found by `map`, as Sampler::locateNear() begins
  TrilinearMap map;         ///< to space, at the step; of a cell that is not `searched` only its position()
  TrilinearVector nextMap;  ///< at the next one
};

/// A sampler of which all cells are such. Belongs to one task.
class CellsBetween {
 public:
  virtual ~CellsBetween() = default;

  /// Takes cell `number` of `block` between `step` and the next one, which exists. `values` has room for 16 times the sampler's
  /// functions, which become those at the eight corners at the step, one corner after the other, then at the next one. Evaluating and
  /// moving with these numbers gives the bits that Sampler::evaluate() and flowIn() give where time is linear. May stop the task, and throws, as the
  /// sampler does.
  virtual void takeCell(std::int32_t block, std::int64_t number, std::int64_t step, CellBetween& cell,
                        std::span<double> values) = 0;
  /// The functions at the corners of a cell at the step after `step`, where what takeCell() took at the step before `step` differs in nothing
  /// else from what it would take now; none where it may. Valid until the next call. May stop the task, and throws, as takeCell() does.
  virtual std::span<const double> nextValues(std::int32_t block, std::int64_t number, std::int64_t step) = 0;
};

}  // namespace farfield::fields
