#pragma once
// The grid of a solution that was named alone: by the customs of names, or else by the sizes of blocks, which both files state. The window
// and the command line find the same.

#include <filesystem>

namespace farfield::plot3d {

struct GridOfSolution {
  std::filesystem::path grid;  ///< beside the solution; empty where none is found, or several are as likely
  bool bySize =
      false;  ///< no name says so: it is the only file there whose blocks have the sizes of the solution's
};

/// Looks into the folder of `solution`, a file of this machine, and, where names do not help, at the heads of files there: of no more than
/// a few hundred, of which none is text. Empty for what is not named as a solution.
GridOfSolution gridOfSolution(const std::filesystem::path& solution);

}  // namespace farfield::plot3d
