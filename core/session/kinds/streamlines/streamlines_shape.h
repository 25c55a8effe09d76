#pragma once
// Streamlines: lines that follow a vector at one moment, from seeds, in either or both directions.

#include <memory>
#include <string>
#include <vector>

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct Streamlines {
  static constexpr const char* kType = "streamlines";
  static constexpr bool kTakesDevices = true;
  std::vector<std::string> vector{"velocity"};  ///< a vector function, or the names of its three components
  Direction direction = Direction::Both;
  Seeds seeds;
  Integrator integrator;
  double widthPixels = 1.5;
  void forgetLooks() { widthPixels = 1; }
  bool operator==(const Streamlines&) const = default;
};

void readKeys(const detail::View& view, Streamlines& out);
void writeKeys(detail::Keys& out, const Streamlines& shape);
std::unique_ptr<ObjectRun> makeRun(const Streamlines& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
