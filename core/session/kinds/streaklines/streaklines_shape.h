#pragma once
// Streaklines: at each step, the positions of the particles that were released at one point one after the
// other.

#include <memory>
#include <string>
#include <vector>

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct Streaklines {
  static constexpr const char* kType = "streaklines";
  std::vector<std::string> vector{"velocity"};  ///< a vector function, or the names of its three components
  Seeds seeds;
  Release release;        ///< none: at every step from the first chosen one on
  Integrator integrator;  ///< maxTime is the greatest age
  fields::BetweenSteps between = fields::BetweenSteps::Linear;
  bool asPoints = false;  ///< particles only, not joined
  double widthPixels = 1.5;
  void forgetLooks() { widthPixels = 1; }
  bool operator==(const Streaklines&) const = default;
};

void readKeys(const detail::View& view, Streaklines& out);
void writeKeys(detail::Keys& out, const Streaklines& shape);
std::unique_ptr<ObjectRun> makeRun(const Streaklines& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
