#include "core/session/kinds/grid_surface/surface_sheets.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/paging/pages/unstructured_cells.h"
#include "core/session/kinds/grid_surface/outer_faces.h"
#include "core/session/run/lines/index_range.h"

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

bool hasAreaIn(const paging::DatasetDescription& description, int block, const IndexBox& sheet) {
  if (description.blocks[static_cast<std::size_t>(block)].isUnstructured()) return sheet.size[0] > 0;
  return std::count(sheet.size.begin(), sheet.size.end(), 1) == 1;
}

/// "wall, inflow", each once: those that can be drawn.
std::string namesOf(const paging::DatasetDescription& description) {
  std::vector<std::string> names;
  std::string list;
  for (const paging::NamedSurface& surface : description.surfaces) {
    if (!hasArea(description, surface) || std::find(names.begin(), names.end(), surface.name) != names.end())
      continue;
    names.push_back(surface.name);
    list += (list.empty() ? "" : ", ") + surface.name;
  }
  return list;
}

std::vector<extract::OrientedSurface> sheetsNamed(const std::string& name,
                                                  const paging::DatasetDescription& description) {
  std::vector<extract::OrientedSurface> sheets;
  bool isThere = false;
  for (const paging::NamedSurface& surface : description.surfaces) {
    isThere |= surface.name == name;
    if (surface.name != name || !hasArea(description, surface)) continue;
    extract::GridSurface sheet(description, surface.block, surface.nodes);
    // faces of an unstructured block point out of their cells
    const bool low =
        !sheet.isFaces() && surface.nodes.first[static_cast<std::size_t>(sheet.fixedAxis())] == 0;
    sheets.push_back({std::move(sheet), low});
  }
  if (!sheets.empty()) return sheets;
  const std::string known = namesOf(description);
  throw Invalid(isThere ? "the surface '" + name + "' is a line of nodes, which has no area"
                        : "the data have no surface named '" + name + "'",
                known.empty() ? "they have no named surfaces that can be drawn; give block and range"
                              : "choose from " + known)
      .at("surface");
}

}  // namespace

bool hasArea(const paging::DatasetDescription& description, const paging::NamedSurface& surface) {
  return hasAreaIn(description, surface.block, surface.nodes);
}

std::vector<extract::OrientedSurface> sheetsOf(const GridSurface& surface,
                                               const paging::DatasetDescription& description) {
  if (!surface.surface.empty()) return sheetsNamed(surface.surface, description);
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
    if (description.blocks[static_cast<std::size_t>(block)].isUnstructured()) {
      if (surface.range != IndexRange3{})
        throw Invalid("block " + std::to_string(block) + " is unstructured and has no i, j, k",
                      "leave out the range: the block's whole border is shown")
            .at("range");
      for (const paging::NamedSurface& border : description.surfaces)
        if (border.block == block && border.name == paging::kBorderName)
          sheets.push_back({extract::GridSurface(description, static_cast<int>(block), border.nodes), false});
      continue;
    }
    const IndexBox nodes =
        nodesOf(surface.range, block, description.blocks[static_cast<std::size_t>(block)].dims);
    for (const Sheet& sheet : sheetsOfBox(nodes)) {
      // with several blocks, those without such nodes are left out; an error only if all are
      const bool last = sheets.empty() && block == blocks.back();
      if (!last && !hasAreaIn(description, static_cast<int>(block), sheet.nodes)) continue;
      sheets.push_back(
          {extract::GridSurface(description, static_cast<int>(block), sheet.nodes), sheet.towardsLower});
    }
  }
  return surface.range == IndexRange3{} ? withoutInnerFaces(std::move(sheets), description) : sheets;
}

}  // namespace farfield::session
