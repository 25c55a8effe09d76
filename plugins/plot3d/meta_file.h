#pragma once
// A .p3d file: JSON that names the grid, solution and function files of each step, and their format, as
// ParaView's and VTK's PLOT3D meta reader (vtkPlot3DMetaReader): "filenames" is a list of objects with "xyz"
// and optionally "q", "function" and "time"; "auto-detect-format" or "byte-order", "precision", "multi-grid",
// "blanking", "language" and "2D"; "R" and "gamma".

#include <filesystem>
#include <functional>
#include <string>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_reader.h"

namespace farfield::plot3d {

struct MetaFile {
  Plot3dFiles files;
  Options options;
};

/// By its ending.
bool isMetaFile(const std::filesystem::path& path);

/// The name to open a file by that is named in a .p3d file.
using FindNamed = std::function<std::string(const std::string& named)>;

/// Parses `text`. Throws Corrupt (not JSON), Invalid (a key that is missing or has a wrong value), and what `find` throws.
MetaFile metaFromText(const std::string& text, const FindNamed& find);

/// Reads the file that `stores` opens as `name`. Throws NotFound, Io and what metaFromText throws; errors name the file.
MetaFile readMetaFile(const std::string& name, const paging::ByteStores& stores, const FindNamed& find);

}  // namespace farfield::plot3d
