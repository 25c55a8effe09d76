#pragma once
// Boxes of nodes out of variables that lie one after the other in a file: as few reads as the box allows, a
// bounded scratch buffer whatever its size, byte order set right, components interleaved.

#include <cstddef>
#include <span>

#include "core/base/file.h"
#include "core/base/geometry.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

/// Reads one variable of `type` (F32, F64) at the nodes of `box` into every `stride`-th element of `out`,
/// from `component` on. Throws Corrupt at the end of the file, Io.
void readReals(const File& file, const VariablePlace& place, const Index3& dims, const IndexBox& box,
               ScalarType type, ByteOrder order, int component, int stride, std::span<std::byte> out);

/// Reads int32 iblank as int16: clamped, sign and zero kept.
void readIblank(const File& file, const VariablePlace& place, const Index3& dims, const IndexBox& box,
                ByteOrder order, std::span<std::byte> out);

}  // namespace farfield::plot3d
