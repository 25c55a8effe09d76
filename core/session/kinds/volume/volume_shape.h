#pragma once
// Volumes: rays through the values of a function. Read, and not computed yet.

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct Volume {
  static constexpr const char* kType = "volume";
  static constexpr Engine kEngine = Engine::Auto;
  bool operator==(const Volume&) const = default;
};

void readKeys(const detail::View& view, Volume& out);
void writeKeys(detail::Keys& out, const Volume& shape);

}  // namespace farfield::session
