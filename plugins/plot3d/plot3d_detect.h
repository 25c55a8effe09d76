#pragma once
// What a PLOT3D file is, found by looking: no file says its byte order, markers, precision or iblank. Every
// combination is held against the file; exactly one must fit it to the byte (and, with record markers, at
// every marker). Two that fit are refused, with the options that settle it.

#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

struct Detection {
  Layout layout;
  std::vector<std::string> explain;  ///< one line per guess: what was tried, what spoke for or against it
};

/// Finds the layout of a grid file. Throws Corrupt where nothing fits (the message has the most likely guess
/// and what it misses), Invalid where several fit or the file is a solution, Unsupported for recognized files
/// of other kinds (functions or OVERFLOW's solutions where a grid is wanted). Errors name the file.
Detection detectGrid(const paging::ByteObject& file, const Overrides& overrides);

/// Finds the layout of the solution or function file that belongs to `grid`. It may differ from the grid in
/// everything but the dims. Throws as detectGrid, and Invalid with both dims where they differ.
Detection detectSolution(const paging::ByteObject& file, const Layout& grid, const Overrides& overrides);

/// One way in which files that fit several can be read.
struct Reading {
  std::string text;  ///< "little-endian, no markers, multi grid, f32, iblank: 2 blocks of …"
  Options options;   ///< that settle on it
};

/// Where a grid, or else the solution that belongs to it, can be read in several ways: these. Empty where
/// there is nothing to choose. Two-dimensional readings are left out.
std::vector<Reading> readingsOf(const std::string& grid, const std::string& solution,
                                const paging::ByteStores& stores = {});

}  // namespace farfield::plot3d
