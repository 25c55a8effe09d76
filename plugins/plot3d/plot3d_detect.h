#pragma once
// Finds out what a PLOT3D file is: files do not say their byte order, markers, precision or iblank. Every
// combination is compared with the file; exactly one must fit its size (and, with record markers, every
// marker). If two fit, the file is refused, with the options that decide.

#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

struct Detection {
  Layout layout;
  std::vector<std::string> explain;  ///< one line per guess: what was tried, and why it fits or not
};

/// Finds the layout of a grid file. Throws Corrupt if nothing fits (the message has the most likely guess and
/// what is wrong with it), Invalid if several fit or the file is a solution, Unsupported for other recognized
/// files (functions or OVERFLOW's solutions instead of a grid). Errors name the file.
Detection detectGrid(const paging::ByteObject& file, const Overrides& overrides);

/// Finds the layout of the solution or function file that belongs to `grid`. It may differ from the grid in
/// everything but the dims. Throws as detectGrid, and Invalid with both dims if they differ.
Detection detectSolution(const paging::ByteObject& file, const Layout& grid, const Overrides& overrides);

/// One of several possible readings of files.
struct Reading {
  std::string text;  ///< "little-endian, no markers, multi grid, f32, iblank: 2 blocks of …"
  Options options;   ///< the options that select it
};

/// The possible readings of a grid, or else of the solution that belongs to it, if there are several. Empty
/// if there is nothing to choose. Two-dimensional readings are left out.
std::vector<Reading> readingsOf(const std::string& grid, const std::string& solution,
                                const paging::ByteStores& stores = {});

}  // namespace farfield::plot3d
