#pragma once
// Files beside a grid that name parts of its blocks' faces: FieldView's boundary file (.fvbnd) and NASA's
// neutral map file (.nmf). Both are text.
//
// .fvbnd: "FVBND 1 4", a name in each line, "BOUNDARIES", then in each line the number of a name, of a block,
// the first and last node in i, j and k ("$": the block's last), a flag and the direction of the normal.
//
// .nmf (Neutral Map File, NASA Langley GEOLAB): the count of blocks, their dims, then in each line a type in
// quotes, a block, a face (1 and 2: k first and last, 3 and 4: i, 5 and 6: j) and the first and last node
// along two axes (i j on a face of k, j k of i, k i of j). Types "one-to-one" join blocks and are left out.
// Lines that begin with # are comments. Numbers begin at 1 in both.

#include <filesystem>
#include <string>
#include <vector>

#include "core/paging/pages/description.h"

namespace farfield::plot3d {

/// `blocks`: dims of the grid's blocks. Throw Corrupt, naming the line, if the text is something else, or has
/// blocks and nodes that do not exist.
std::vector<paging::NamedSurface> surfacesFromFvbnd(const std::string& text,
                                                    const std::vector<Index3>& blocks);
std::vector<paging::NamedSurface> surfacesFromNmf(const std::string& text, const std::vector<Index3>& blocks);

/// The surfaces in the files beside `grid` (GRID.fvbnd, or with its ending replaced; .nmf likewise). A wrong
/// file is left out, and `explain` says why.
std::vector<paging::NamedSurface> surfacesBeside(const std::filesystem::path& grid,
                                                 const std::vector<Index3>& blocks,
                                                 std::vector<std::string>& explain);

}  // namespace farfield::plot3d
