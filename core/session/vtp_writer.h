#pragma once
// Geometry files: VTK's XML PolyData, version 1.0, little-endian, raw appended data with 64-bit sizes (VTK
// File Formats, "XML File Formats"), which ParaView, VTK and others read. They are written straight from the
// spool and hold nothing but the results (no dates, paths or settings), so equal results are equal bytes.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/session/line_spool.h"
#include "core/session/surface_spool.h"

namespace farfield::session {

/// A function among the values of a vertex: its name, and the number of its (first) value.
using NamedValue = std::pair<std::string, int>;

struct LineFileContents {
  /// Directions of each seed's lines in their order: {+1, -1}, {+1} or {-1}; line n is seed n / size,
  /// direction [n % size]. Empty: plain lines (outlines), without cell data and times.
  std::span<const int> directions;
  /// The three components that the lines follow, under the field's own name.
  std::optional<NamedValue> vector;
  /// The function that colours them; left out where it is the time.
  std::optional<NamedValue> scalar;
};

/// One polyline per line of `spool`, each with its own vertices. Cell data, Int32: seed, direction,
/// termination (whose names by code are the field data "termination"), block. Point data, Float64: time,
/// vector, scalar. Throws Io, OverBudget.
void writeLines(const std::filesystem::path& path, const LineSpool& spool, const LineFileContents& contents);

/// Triangles, with point data Normals and the function. Throws Io, OverBudget.
void writeSurface(const std::filesystem::path& path, const SurfaceSpool& spool,
                  const std::optional<NamedValue>& scalar);

}  // namespace farfield::session
