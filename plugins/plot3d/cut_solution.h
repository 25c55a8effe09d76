#pragma once
// PLOT3D solutions that end too early: their heads are whole and say how much should follow. Who is told that something is cut off
// copies it again; who is told of a guess that does not fit looks for another format.

#include <optional>
#include <string>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

struct CutSolution {
  std::string message;  ///< "is not a complete PLOT3D solution of 700 bytes: it is cut off, …"
  std::string advice;
};

/// Whether `file`, which fits nothing whole, is the beginning of a solution or function file of `grid` (null: of a grid that is not
/// known, which takes record markers to tell), as far as `overrides` allow. Throws Io.
std::optional<CutSolution> cutSolution(const paging::ByteObject& file, const Layout* grid,
                                       const Overrides& overrides);

}  // namespace farfield::plot3d
