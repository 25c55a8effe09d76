#pragma once
// Slabs: pictures of parts of a volume that another program renders. Read and written, but not yet shown.

#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Slabs {
  static constexpr const char* kType = "slabs";
  bool operator==(const Slabs&) const = default;
};

void readKeys(const detail::View& view, Slabs& out);
void writeKeys(detail::Keys& out, const Slabs& shape);

}  // namespace farfield::session
