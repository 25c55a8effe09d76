#pragma once
// How bricks for lines hold what is known of their nodes, and how large they are. Bricks take memory from pages where a
// device uses the host's, so where not all have room they are small, and hold each number in as few bytes as say exactly
// what the processors' tracer reads.

#include <cstdint>
#include <string>

#include "core/fields/functions/functions.h"
#include "core/paging/pages/description.h"

namespace farfield::opencl {

/// Of all bricks of one job.
struct LineLayout {
  /// Large bricks if all of the data have room in `mostBytes`, or so many that it makes no difference; else small ones, of
  /// which fewer pages are read that no line goes through. `realBytes`: of a number that the device computes with. Of
  /// floats bricks are always large, since lines depend, in the last digits, on where their brick begins.
  static LineLayout choose(const paging::DatasetDescription& data, const fields::FunctionPlan& functions,
                           std::uint64_t realBytes, std::uint64_t mostBytes);

  std::int64_t edge = 0;  ///< cells of a brick along an axis
  bool axes = false;      ///< no block has coordinates: a brick has those of its nodes along x, y and z
  bool all = false;       ///< all bricks of the data have room
  std::uint64_t realBytes = 0;
  std::uint64_t positionBytes =
      0;  ///< of a number: less than realBytes only where those of the data are floats
  std::uint64_t valueBytes = 0;
  std::uint64_t outputs = 0;  ///< values of a node

  std::uint64_t side() const { return static_cast<std::uint64_t>(edge) + 1; }  ///< nodes along an axis
  std::uint64_t nodes() const { return side() * side() * side(); }
  /// Numbers of a brick; flags have a layer of cells around it.
  std::uint64_t positions() const { return 3 * (axes ? side() : nodes()); }
  std::uint64_t values() const { return outputs * nodes(); }
  std::uint64_t flags() const { return (side() + 1) * (side() + 1) * (side() + 1); }
  /// Of a brick, without its links and origin.
  std::uint64_t bytes() const { return positions() * positionBytes + values() * valueBytes + flags(); }
  /// What the kernel is compiled with.
  std::string options() const;
};

}  // namespace farfield::opencl
