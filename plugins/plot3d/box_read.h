#pragma once
// Boxes of nodes out of variables that lie one after the other in a file: as few reads as the box allows, a
// bounded scratch buffer whatever its size, byte order set right, components interleaved.

#include <cstddef>
#include <span>

#include "core/base/geometry.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

/// Reads variables `first` … `first` + `count` - 1 of `block` at the nodes of `box`, interleaved, into `out`:
/// box nodes x count reals, in native byte order. Throws Corrupt at the end of the file, Io.
void readReals(const paging::ByteObject& file, const Layout& layout, int block, int first, int count,
               const IndexBox& box, std::span<std::byte> out);

/// Reads int32 iblank as int16: clamped, sign and zero kept.
void readIblank(const paging::ByteObject& file, const Layout& layout, int block, const IndexBox& box,
                std::span<std::byte> out);

}  // namespace farfield::plot3d
