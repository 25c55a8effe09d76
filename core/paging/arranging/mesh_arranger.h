#pragma once
// Puts the cells and nodes of an unstructured grid in order (arranged_mesh.h), under the memory budget: cells
// are sorted along Hilbert's curve by their centres, by runs on disk if they are many; nodes are numbered as
// the cells meet them; faces are paired on the way.

#include <filesystem>
#include <stop_token>

#include "core/base/memory_account.h"
#include "core/paging/arranging/arranged_mesh.h"
#include "core/paging/arranging/mesh_input.h"

namespace farfield::paging {

/// Writes an arrangement of `input` to `out`, an empty file that ends up as the result's. Temporary files go into `folder`.
/// Left-handed cells are mirrored, so that all are right-handed; cells with a node whose coordinates are not
/// finite keep their place, and hold no point. Takes up to half of what is free of `account`. Throws what the
/// input throws, Unsupported (no cell with a volume, or too many), OverBudget, Io, Cancelled.
ArrangedMesh arrangeMesh(const MeshInput& input, File out, MemoryAccount& account,
                         const std::filesystem::path& folder, const std::stop_token& stop);

}  // namespace farfield::paging
