#pragma once
// A grid in a plane as VTK's legacy format has it.

#include <filesystem>
#include <fstream>

namespace farfield::test {

/// Two triangles, the second with its corners the other way around, and a square, in the plane z = 3: 2 wide and 1 high. "s" is x on the nodes, "c" 7, 8 and 9 on the cells.
inline void writeFlatMesh(const std::filesystem::path& path) {
  std::ofstream(path)
      << "# vtk DataFile Version 3.0\nflat\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 float\n"
         "0 0 3\n1 0 3\n1 1 3\n0 1 3\n2 0 3\n2 1 3\n"
         "CELLS 3 13\n3 0 1 2\n3 0 3 2\n4 1 4 5 2\nCELL_TYPES 3\n5\n5\n9\n"
         "POINT_DATA 6\nSCALARS s double\nLOOKUP_TABLE default\n0 1 1 0 2 2\n"
         "CELL_DATA 3\nSCALARS c int\nLOOKUP_TABLE default\n7 8 9\n";
}

}  // namespace farfield::test
