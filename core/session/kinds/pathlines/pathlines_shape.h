#pragma once
// Pathlines: the paths of particles through a vector that changes in time, from the points and times of their
// release.

#include <memory>
#include <string>
#include <vector>

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct Pathlines {
  static constexpr const char* kType = "pathlines";
  std::vector<std::string> vector{"velocity"};  ///< a vector function, or the names of its three components
  Seeds seeds;
  Release release;        ///< none: at the first chosen step
  Integrator integrator;  ///< maxTime is the greatest age
  fields::BetweenSteps between = fields::BetweenSteps::Linear;
  bool asPoints = false;  ///< particles only, not joined
  double widthPixels = 1.5;
  void forgetLooks() { widthPixels = 1; }
  bool operator==(const Pathlines&) const = default;
};

void readKeys(const detail::View& view, Pathlines& out);
void writeKeys(detail::Keys& out, const Pathlines& shape);
std::unique_ptr<ObjectRun> makeRun(const Pathlines& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
