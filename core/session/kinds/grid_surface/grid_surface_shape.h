#pragma once
// Grid surfaces: sheets of nodes of blocks.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

/// Each block's part of `range`: if it is one node thick along an axis, that sheet of nodes, otherwise the
/// outer faces of the box.
struct GridSurface {
  static constexpr const char* kType = "grid-surface";
  std::vector<std::int64_t> blocks;  ///< empty: all
  IndexRange3 range;
  std::string surface = {};  ///< a surface named in the data, instead of blocks and range
  bool operator==(const GridSurface&) const = default;
};

void readKeys(const detail::View& view, GridSurface& out);
void writeKeys(detail::Keys& out, const GridSurface& shape);
std::unique_ptr<ObjectRun> makeRun(const GridSurface& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
