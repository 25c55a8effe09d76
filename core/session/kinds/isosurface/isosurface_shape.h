#pragma once
// Isosurfaces: where a function has one of several values.

#include <memory>
#include <string>
#include <vector>

#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Isosurface {
  static constexpr const char* kType = "isosurface";
  std::string by;
  std::vector<double> values;     ///< at least one
  bool resolvesOverlaps = false;  ///< where blocks overlap, the one that location finds is shown, not all
  bool operator==(const Isosurface&) const = default;
};

void readKeys(const detail::View& view, Isosurface& out);
void writeKeys(detail::Keys& out, const Isosurface& shape);
std::unique_ptr<ObjectRun> makeRun(const Isosurface& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
