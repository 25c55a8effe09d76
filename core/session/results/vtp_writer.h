#pragma once
// Geometry files: VTK's XML PolyData, version 1.0, little-endian, raw appended data with 64-bit sizes (VTK
// File Formats, "XML File Formats"), read by ParaView, VTK and others. They are written straight from the
// spool and hold only the results (no dates, paths or settings), so that equal results are equal bytes. Writing them ends with Cancelled
// once the calling thread's waits are stopped (core/base/stoppable_waits.h), and leaves what was there before.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/session/results/polylines.h"
#include "core/session/results/surface_spool.h"

namespace farfield::session {

/// A function among the numbers of a vertex: its name, first column and number of columns.
struct VertexColumn {
  std::string name;
  int first = 0, components = 1;
};
struct CellColumn {
  std::string name;
  bool integer = true;  ///< Int32; else Float64
};

/// The arrays of a file of lines.
struct LineFileContents {
  std::vector<VertexColumn> vertices;  ///< as point data, Float64
  std::vector<CellColumn> cells;       ///< in the order of PolylineSummary::cells
  std::string scalars, vectors;        ///< names of the columns that a viewer shows first; may be empty
  bool terminations = false;           ///< the names of the codes as field data "termination"
  bool asPoints = false;               ///< of each line only its last vertex, as a vertex cell
};

/// One polyline per line, each with its own vertices. Throws Io, OverBudget.
void writeLines(const std::filesystem::path& path, const Polylines& lines, const LineFileContents& contents);

/// A value of a surface's nodes: its name and index.
using NamedValue = std::pair<std::string, int>;

/// Triangles, with point data Normals and `values`, the first of which a viewer shows first. Throws Io,
/// OverBudget.
void writeSurface(const std::filesystem::path& path, const SurfaceSpool& spool,
                  const std::vector<NamedValue>& values);

/// The same in pieces of about so many triangles: files with the same arrays beside `path` ("wall.0000.vtp" … of "wall.pvtp"),
/// and last the one that lists them, "PPolyData". Pieces of an earlier result that are one too many are removed. Throws Io, OverBudget.
void writeSurfaceInPieces(const std::filesystem::path& path, const SurfaceSpool& spool,
                          const std::vector<NamedValue>& values, std::uint64_t triangles);
std::filesystem::path piecePath(const std::filesystem::path& path, std::uint64_t number);

}  // namespace farfield::session
