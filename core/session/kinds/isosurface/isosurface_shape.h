#pragma once
// Isosurfaces: where a function has one of some values. Read, and not computed yet.

#include <string>
#include <vector>

#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Isosurface {
  static constexpr const char* kType = "isosurface";
  std::string by;
  std::vector<double> values;
  bool operator==(const Isosurface&) const = default;
};

void readKeys(const detail::View& view, Isosurface& out);
void writeKeys(detail::Keys& out, const Isosurface& shape);

}  // namespace farfield::session
