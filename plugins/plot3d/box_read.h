#pragma once
// Reads boxes of nodes from variables that follow one another in a file: with as few reads as the box allows,
// a bounded scratch buffer for any size, the byte order corrected, components fastest.

#include <cstddef>
#include <span>

#include "core/base/geometry.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

/// Reads variables `first` … `first` + `count` - 1 of `block` at the nodes of `box`, components fastest, into
/// `out`: box nodes x count reals, in native byte order. Throws Corrupt at the end of the file, Io.
void readReals(const paging::ByteObject& file, const Layout& layout, int block, int first, int count,
               const IndexBox& box, std::span<std::byte> out);

/// Reads int32 iblank as int16: clamped, keeping sign and zero.
void readIblank(const paging::ByteObject& file, const Layout& layout, int block, const IndexBox& box,
                std::span<std::byte> out);

}  // namespace farfield::plot3d
