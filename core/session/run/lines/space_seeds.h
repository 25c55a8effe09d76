#pragma once
// Seeds as dense in one place as in another, whatever the grid: where nodes crowd at walls, seeds that follow nodes nearly all
// lie in boundary layers.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/flow/seeds.h"
#include "core/paging/pages/description.h"

namespace farfield::session {

struct BlockNode {
  int block = 0;
  Index3 node{0, 0, 0};
};
struct NodePlace {
  Vec3 at;
  bool isBlank = false;
};
/// The places of nodes, in their order; whether they are blank where `blanks` is true.
using ReadPlaces = std::function<std::vector<NodePlace>(std::span<const BlockNode>, bool blanks)>;

/// `count` seeds, spread by volume (area of flat data, length of rows) over all blocks that are there at `step` (below 0: over
/// all). Blocks are cut into boxes of cells until none has more than its part of the volume, of which only corners are read: at
/// most some hundred boxes, or one for each block. Boxes whose middle cell is blank have no seeds. Seeds are taken at equal
/// distances along a curve through the boxes, and lie in cells. Of unstructured blocks some nodes are looked at, and those stand
/// for less that lie close together. Depends on the data and `count` alone. Throws Invalid for a count below one, and if there
/// are no blocks; what `read` throws.
std::unique_ptr<flow::SeedSet> seedsOverSpace(const paging::DatasetDescription& description,
                                              std::int64_t count, std::int64_t step, const ReadPlaces& read);

}  // namespace farfield::session
