#pragma once
// Pathlines: the ways of particles through a vector that changes in time. Read, and not computed yet.

#include <string>
#include <vector>

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct Pathlines {
  static constexpr const char* kType = "pathlines";
  std::vector<std::string> vector{"velocity"};
  Direction direction = Direction::Forward;
  Seeds seeds;
  Integrator integrator;
  double widthPixels = 1.5;
  void forgetLooks() { widthPixels = 1; }
  bool operator==(const Pathlines&) const = default;
};

void readKeys(const detail::View& view, Pathlines& out);
void writeKeys(detail::Keys& out, const Pathlines& shape);

}  // namespace farfield::session
