#pragma once
// Walls marked by iblank 2 (PLOT3D user's manual, ch. 8: "wall points"): rectangles of cells on the faces of
// the blocks whose nodes are all marked, and those beside them whose other nodes, at the end of the face, are marked as an interface.

#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::plot3d {

/// In the order of blocks, faces (k, j, i, the low one first) and rows; named "wall". Reads the iblank of the
/// first step once, and claims a byte for each node on the faces of a block. At most kMostWalls; the rest is
/// left out. Throws what the reader throws, OverBudget.
std::vector<paging::NamedSurface> wallSurfaces(const paging::BoxReader& reader, MemoryAccount& account);

constexpr std::size_t kMostWalls = 20'000;
/// Their NamedSurface::from.
inline constexpr const char* kWallSource = "iblank";

/// The least memory that wallSurfaces must be able to claim.
std::uint64_t leastWallBytes(const paging::DatasetDescription& data);

}  // namespace farfield::plot3d
