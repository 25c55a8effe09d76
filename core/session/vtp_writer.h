#pragma once
// Geometry files: VTK's XML PolyData, version 1.0, little-endian, raw appended data with 64-bit sizes (VTK
// File Formats, "XML File Formats"), which ParaView, VTK and others read. They are written straight from the
// spool and hold nothing but the results (no dates, paths or settings), so equal results are equal bytes.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/session/polylines.h"
#include "core/session/surface_spool.h"

namespace farfield::session {

/// A function among the numbers of a vertex: its name, the number of its first column, and how many it has.
struct VertexColumn {
  std::string name;
  int first = 0, components = 1;
};
struct CellColumn {
  std::string name;
  bool integer = true;  ///< Int32; else Float64
};

/// What a file of lines says.
struct LineFileContents {
  std::vector<VertexColumn> vertices;  ///< as point data, Float64
  std::vector<CellColumn> cells;       ///< in the order of PolylineSummary::cells
  std::string scalars, vectors;        ///< names of columns that are a viewer's first choice; may be empty
  bool terminations = false;           ///< the names by code as field data "termination"
  bool asPoints = false;               ///< of each line its last vertex alone, as a vertex cell
};

/// One polyline per line, each with its own vertices. Throws Io, OverBudget.
void writeLines(const std::filesystem::path& path, const Polylines& lines, const LineFileContents& contents);

/// A function among the values of a surface's node: its name, and the number of its value.
using NamedValue = std::pair<std::string, int>;

/// Triangles, with point data Normals and `values`, of which the first is a viewer's first choice. Throws Io,
/// OverBudget.
void writeSurface(const std::filesystem::path& path, const SurfaceSpool& spool,
                  const std::vector<NamedValue>& values);

}  // namespace farfield::session
