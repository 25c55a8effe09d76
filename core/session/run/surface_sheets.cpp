#include "core/session/run/surface_sheets.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/session/run/index_range.h"

namespace farfield::session {
namespace {

struct Sheet {
  IndexBox nodes;
  bool towardsLower = false;
};

std::vector<Sheet> sheetsOfBox(const IndexBox& nodes) {
  if (std::count(nodes.size.begin(), nodes.size.end(), 1) > 0) return {{nodes}};
  std::vector<Sheet> faces;
  for (int a = 2; a >= 0; --a)
    for (const bool high : {false, true}) {
      Sheet face{nodes, !high};
      if (high) face.nodes.first[a] += face.nodes.size[a] - 1;
      face.nodes.size[a] = 1;
      faces.push_back(face);
    }
  return faces;
}

}  // namespace

std::vector<extract::OrientedSurface> sheetsOf(const GridSurface& surface,
                                               const paging::DatasetDescription& description) {
  std::vector<std::int64_t> blocks = surface.blocks;
  if (blocks.empty())
    for (std::size_t n = 0; n < description.blocks.size(); ++n)
      blocks.push_back(static_cast<std::int64_t>(n));
  std::vector<extract::OrientedSurface> sheets;
  for (const std::int64_t block : blocks) {
    if (block < 0 || block >= static_cast<std::int64_t>(description.blocks.size()))
      throw Invalid("there is no block " + std::to_string(block),
                    "choose from 0 to " + std::to_string(description.blocks.size() - 1))
          .at("block");
    const IndexBox nodes = nodesOf(surface.range, description.blocks[static_cast<std::size_t>(block)].dims);
    for (const Sheet& sheet : sheetsOfBox(nodes))
      sheets.push_back(
          {extract::GridSurface(description, static_cast<int>(block), sheet.nodes), sheet.towardsLower});
  }
  return sheets;
}

}  // namespace farfield::session
