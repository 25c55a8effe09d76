#pragma once
// What surfaces through all blocks show where some overlap.

namespace farfield::extract {

enum class Overlaps {
  All,  ///< each block
  /// The block in which location finds the point (overlap_clipper.h), so that the surface is there once. Unstructured blocks are
  /// shown whole.
  Resolved
};

}  // namespace farfield::extract
