#pragma once
// Lines that were made in pieces, such as those of isolines, whose pieces end at the borders of patches: pieces that meet are one line
// again.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::session {

struct LinePiece {
  std::uint32_t number = 0;
  bool backward = false;  ///< from its last vertex to its first
  bool operator==(const LinePiece&) const = default;
};

/// The pieces of each line from its beginning to its end. `points` are those of all pieces, one after the other, and `lengths` how many
/// each has. Ends no further from each other than `tolerance` are one; where just two pieces end there, they go on as one line. Where
/// more do, which of them belong together cannot be told, and all end. A line goes the way of the first of its pieces, and lines are in
/// the order of these. A closed line begins with its first piece. Pieces without extent, or with points that are no numbers, are
/// left out.
std::vector<std::vector<LinePiece>> joinedLines(std::span<const Vec3> points,
                                                std::span<const std::uint32_t> lengths, double tolerance);

}  // namespace farfield::session
