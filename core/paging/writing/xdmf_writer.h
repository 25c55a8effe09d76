#pragma once
// The XDMF sidecar of a store: a small text by which ParaView, VisIt and VTK find grid, variables and times
// in the HDF5 file. Written only for stores whose codec those programs have: with another, VTK's XDMF reader
// silently shows garbage.

#include <filesystem>

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// The path of the sidecar of `store`: its name with ".xmf" in place of the extension.
std::filesystem::path xdmfPath(const std::filesystem::path& store);

/// Writes the sidecar of the finished store `store` with this description. Blocks without coordinates must be
/// regular grids. Throws Invalid if the codec is not gzip, Io.
void writeXdmf(const std::filesystem::path& store, const DatasetDescription& description);

}  // namespace farfield::paging
