#pragma once
// The XDMF sidecar of a store: a small text by which ParaView, VisIt and VTK find grid, variables and times
// in the HDF5 file. Written only for stores whose codec those programs have: with another, VTK's XDMF reader
// shows garbage without a word.

#include <filesystem>

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// Where the sidecar of `store` lies: its name with ".xmf" in place of the extension.
std::filesystem::path xdmfPath(const std::filesystem::path& store);

/// Writes the sidecar of the finished store `store`, whose description is `description`. Blocks without
/// coordinates must be regular grids. Throws Invalid when the codec is not gzip, Io.
void writeXdmf(const std::filesystem::path& store, const DatasetDescription& description);

}  // namespace farfield::paging
