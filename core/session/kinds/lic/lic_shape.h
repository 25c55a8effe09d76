#pragma once
// A texture on a surface that shows where a vector goes: noise, blurred along its lines (line integral convolution).

#include <memory>
#include <string>
#include <vector>

#include "core/session/json/on_surface.h"
#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Lic {
  static constexpr const char* kType = "lic";
  static constexpr std::int64_t kLeastResolution = 16, kMostResolution = 16'384;
  static constexpr std::int64_t kMostReach = 200;
  OnSurface on = {};  ///< a slice or a grid surface
  std::vector<std::string> vector{"velocity"};
  std::int64_t resolution = 1000;  ///< texels along the diagonal of the data
  std::int64_t reach = 20;         ///< of the blur to either side, in texels
  Vec3 stretch{1, 1, 1};           ///< texels are even in a view whose axes are seen so many times longer
  bool animated = false;           ///< in the window the texture moves with the vector
  void forgetLooks() { animated = false; }
  bool operator==(const Lic&) const = default;
};

void readKeys(const detail::View& view, Lic& out);
void writeKeys(detail::Keys& out, const Lic& shape);
std::unique_ptr<ObjectRun> makeRun(const Lic& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
