#pragma once
// Streamlines: lines that follow a vector at one moment, from seeds, in either or both directions.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/session/kinds/kind.h"
#include "core/session/terms.h"

namespace farfield::session {

/// How lines are drawn.
enum class LineForm { Lines, Tubes, Ribbons, Arrows, Particles };

/// Half the width of tubes, ribbons, arrows and particles, in the data's length unit.
struct LineRadius {
  std::optional<double> constant;  ///< none: by the size of what is shown
  std::string by;                  ///< a function; empty: it is the same everywhere
  std::array<double, 2> range{};   ///< for the function's least and greatest value
  bool operator==(const LineRadius&) const = default;
};

struct Streamlines {
  static constexpr const char* kType = "streamlines";
  static constexpr bool kTakesDevices = true;
  std::vector<std::string> vector{"velocity"};  ///< a vector function, or the names of its three components
  Direction direction = Direction::Both;
  Seeds seeds;
  Integrator integrator;
  /// Distance that lines keep from those of seeds before theirs, in the data's length unit; none: any.
  std::optional<double> spacing;
  LineForm form = LineForm::Lines;
  LineRadius radius;  ///< of all forms but lines
  /// Of ribbons: how far they turn for what the flow turns about their line; 0: they are carried along without turning.
  double twist = 1;
  double widthPixels = 1.5;
  /// Lines are dashed: time of the flow from one dash to the next, or kBySpeed. None: whole lines.
  std::optional<double> dashes;
  static constexpr double kBySpeed = 0;  ///< so that dashes are short of what is shown, and can be told apart
  /// Of particles: time of the flow from one to the next, or kBySpeed.
  double every = kBySpeed;
  /// Whether the vertices that are drawn are the same, where those that are computed are.
  bool isDrawnLike(const Streamlines& other) const {
    return form == other.form && radius == other.radius && twist == other.twist && dashes == other.dashes &&
           every == other.every;
  }
  /// Ribbons alone are more than looks: how far the flow turns about them is computed with their lines.
  void forgetLooks() {
    widthPixels = 1;
    twist = 1;
    dashes.reset();
    every = kBySpeed;
    if (form != LineForm::Ribbons) form = LineForm::Lines;
    radius = {{}, radius.by, {}};
  }
  /// What was computed of these and `after` does not show: lines of ribbons can be drawn as anything else.
  void forgetWhatLacks(const Streamlines& after) {
    if (after.form != LineForm::Ribbons && form == LineForm::Ribbons) form = LineForm::Lines;
  }
  bool operator==(const Streamlines&) const = default;
};

void readKeys(const detail::View& view, Streamlines& out);
void writeKeys(detail::Keys& out, const Streamlines& shape);
std::unique_ptr<ObjectRun> makeRun(const Streamlines& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
