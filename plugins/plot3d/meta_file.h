#pragma once
// A .p3d file: JSON that names the grid, solution and function files of each step, and their format, as
// ParaView's and VTK's PLOT3D meta reader (vtkPlot3DMetaReader): "filenames" is a list of objects with "xyz"
// and optionally "q", "function" and "time"; "auto-detect-format" or "byte-order", "precision", "multi-grid",
// "blanking", "language" and "2D"; "R" and "gamma".

#include <filesystem>

#include "plugins/plot3d/plot3d_reader.h"

namespace farfield::plot3d {

struct MetaFile {
  Plot3dFiles files;
  Options options;
};

/// By its ending.
bool isMetaFile(const std::filesystem::path& path);

/// Parses `text`; paths are relative to `folder`. Throws Corrupt (not JSON), Invalid (a key that is missing
/// or has a wrong value).
MetaFile metaFromText(const std::string& text, const std::filesystem::path& folder);

/// Paths are relative to the file's folder. Throws NotFound, Io, Corrupt (not JSON), Invalid (a key that is
/// missing or has a wrong value); errors name the file.
MetaFile readMetaFile(const std::filesystem::path& path);

}  // namespace farfield::plot3d
