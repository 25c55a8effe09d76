#pragma once
// Lines on a grid surface that follow the part of a vector along it: of the wall shear, the lines that oil draws on a
// wing.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/session/json/on_surface.h"
#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

struct SurfaceLines {
  static constexpr const char* kType = "surface-lines";
  static constexpr std::int64_t kMostLines = 1'000'000;
  OnSurface on = {};  ///< a grid surface, or a slice at an index
  std::vector<std::string> vector{"velocity"};
  Direction direction = Direction::Both;
  std::int64_t count = 400;  ///< of starts, spread evenly over the cells
  /// Distance that lines keep from those that start before them, in the data's length unit; none: any.
  std::optional<double> spacing = {};
  std::optional<double> maxLength = {};  ///< none: the diagonal of the data
  double widthPixels = 1.5;
  void forgetLooks() { widthPixels = 1.5; }
  bool operator==(const SurfaceLines&) const = default;
};

void readKeys(const detail::View& view, SurfaceLines& out);
void writeKeys(detail::Keys& out, const SurfaceLines& shape);
std::unique_ptr<ObjectRun> makeRun(const SurfaceLines& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
