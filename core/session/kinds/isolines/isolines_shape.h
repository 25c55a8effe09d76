#pragma once
// Isolines: lines on a surface where a function has one of several values.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/lighting.h"
#include "core/session/json/on_surface.h"
#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Isolines {
  static constexpr const char* kType = "isolines";
  static constexpr scene::Lighting kLighting = scene::Lighting::Off;
  static constexpr std::int64_t kMostLines = 1000;  ///< values
  OnSurface on = {};
  std::string by = {};
  std::vector<double> values = {};  ///< empty: `count` of them
  std::int64_t count = 10;
  /// With a count: the first value and the last one; none: evenly spaced within the range of the values that
  /// the function has on the surface, in each step.
  std::optional<std::array<double, 2>> range = {};
  double widthPixels = 1.5;
  /// Of lines in one colour on a surface that is coloured by the same function: each is black or white instead, whichever stands out from the
  /// colour that the surface has there.
  bool contrast = false;
  void forgetLooks() {
    widthPixels = 1.5;
    contrast = false;
  }
  bool operator==(const Isolines&) const = default;
};

void readKeys(const detail::View& view, Isolines& out);
void writeKeys(detail::Keys& out, const Isolines& shape);
std::unique_ptr<ObjectRun> makeRun(const Isolines& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
