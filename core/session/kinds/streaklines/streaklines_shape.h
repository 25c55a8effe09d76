#pragma once
// Streaklines: where particles are that left a place one after the other. Read, and not computed yet.

#include <string>
#include <vector>

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct Streaklines {
  static constexpr const char* kType = "streaklines";
  std::vector<std::string> vector{"velocity"};
  Seeds seeds;
  Integrator integrator;
  double widthPixels = 1.5;
  void forgetLooks() { widthPixels = 1; }
  bool operator==(const Streaklines&) const = default;
};

void readKeys(const detail::View& view, Streaklines& out);
void writeKeys(detail::Keys& out, const Streaklines& shape);

}  // namespace farfield::session
