#pragma once
// A session: what to show, of which data, from where, at which times, and what to write. It is a plain value;
// session_json.h reads and writes it as the JSON document that users keep, and the runner carries it out.
// Everything here is what the user asked for, with defaults filled in; whether a block, function or reader of
// that name exists is known only when the data are open.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/scene.h"
#include "core/session/kinds/shapes.h"
#include "core/session/terms.h"

namespace farfield::session {

using OptionValue = std::variant<bool, double, std::string>;
/// The value as a reader gets it: "true", "1.4", the text itself.
std::string textOf(const OptionValue& value);

/// One data set. Paths are as written; Session::resolve makes them usable.
struct DataSource {
  std::string name;
  std::vector<std::string> source;    ///< grid or whole data set: a file, a URL, a pattern, or one per step
  std::vector<std::string> solution;  ///< empty, or a file, a pattern, or one per step
  std::string reader;                 ///< empty: found by looking at the data
  std::map<std::string, OptionValue> options;
  bool operator==(const DataSource&) const = default;
};

/// What the ends of a scale are of, where no numbers are given for them.
enum class RangeOf {
  Shown,      ///< values shown, per step
  Symmetric,  ///< the same, equally wide on both sides of 0
  Step,       ///< the whole data, per step
  Data        ///< the whole data, of all steps
};

/// How an object is coloured: by a function, or in one colour if `by` is empty.
struct Coloring {
  std::string by;
  scene::MapChoice map = {};
  std::optional<std::array<double, 2>> range;  ///< none: as `rangeOf` says
  RangeOf rangeOf = RangeOf::Shown;            ///< without a range
  bool apart = false;                          ///< without a range: not shared with other objects
  bool logarithmic = false;
  bool bandLines = false;  ///< on surfaces, between the bands of the map
  std::optional<scene::Rgba> below,
      above;  ///< for values outside of the range; none: the colours at its ends
  scene::Rgba nan = scene::ColorScale{}.nanColor;  ///< for values that are not numbers
  scene::Rgba solid{0.2f, 0.2f, 0.2f, 1};
  bool operator==(const Coloring&) const = default;
};
/// Whether its ends are of the whole data, in the step shown or in all.
constexpr bool isOfWholeData(const Coloring& color) {
  return !color.range && (color.rangeOf == RangeOf::Step || color.rangeOf == RangeOf::Data);
}

/// One thing to show. `name` also names its file, so it is a plain file name without dots.
struct Object {
  std::string name;
  std::string data;  ///< of a DataSource
  Shape shape;
  Coloring color;
  Engine engine = Engine::Cpu;
  std::optional<std::int64_t> budgetMs;  ///< stop after so long with the best result so far
  bool visible = true;
  double opacity = 1;
  std::optional<scene::Lighting> lighting;  ///< none: the usual one of its kind; not of volumes
  bool edges = false;                       ///< of cells, drawn over it; of surfaces
  bool clipped = true;                      ///< by ImageSettings::clip
  ObjectType type() const { return typeOf(shape); }
  bool operator==(const Object&) const = default;
};

/// Which steps of the data are shown, one picture each.
struct TimeSelection {
  IndexRange steps;
  std::int64_t stride = 1;
  /// The step numbers in data of `stepCount` steps, ascending. Throws Invalid if a step does not exist.
  std::vector<std::int64_t> stepsOf(std::int64_t stepCount) const;
  bool operator==(const TimeSelection&) const = default;
};

/// Shows everything, seen from `direction` (from the middle of the data to the eye). Stretches are those of scene::Camera: all else is
/// of stretched space.
struct AutoCamera {
  Vec3 direction{1, -1, 0.7}, up{0, 0, 1};
  Vec3 stretch = scene::kUnstretched;
  bool operator==(const AutoCamera&) const = default;
};
struct FixedCamera {
  Vec3 position, target, up{0, 0, 1};
  double fieldOfViewDegrees = 30;
  std::optional<double> orthographicHeight;  ///< of the view in data units; none: perspective
  Vec3 stretch = scene::kUnstretched;
  bool operator==(const FixedCamera&) const = default;
};

/// A saved camera; batch runs ignore it.
struct NamedView {
  std::string name;
  std::variant<AutoCamera, FixedCamera> camera;
  std::optional<double> aspect = {};  ///< width:height of the view that it was kept in; none: not known
  bool operator==(const NamedView&) const = default;
};

/// One of several views beside one another in the window.
struct SideView {
  std::optional<FixedCamera> camera;  ///< none: it moves with the first view
  std::string data;                   ///< only objects of these data are shown; empty: of all
  std::vector<std::string> hidden;    ///< names of objects that are not shown here
  bool operator==(const SideView&) const = default;
};
/// What colours an object had before it took over those of another data set for a comparison (ViewLayout::over).
struct ColorsBefore {
  std::string object;  ///< its name
  Coloring color;
  bool operator==(const ColorsBefore&) const = default;
};
/// How the window's view is divided. Batch runs draw all objects, or one of the views.
struct ViewLayout {
  std::vector<SideView> views;  ///< none (there is one view), 2 or 4; the first one has the session's camera
  /// Two views, one over the other: the first is seen left of the divider, the second right of it.
  bool over = false;
  double divider = 0.5;  ///< part of the width, where one lies over the other
  std::vector<ColorsBefore> before = {};
  bool operator==(const ViewLayout&) const = default;
};

/// What the window's panel of plots shows; batch runs ignore it.
struct PlotChoice {
  enum class Kind : std::uint8_t { Line, Time, Values, Along };
  enum class Over : std::uint8_t { Length, X, Y, Z };
  Kind kind = Kind::Line;
  std::string data;  ///< empty: the first that are open
  std::string by;    ///< function or expression; empty: the usual one of the data
  /// The name of an object: whose two ends or rake the line is, at whose place values are followed over time, or on which
  /// they are counted, or along whose lines they are read. Empty: the line or the whole of the data.
  std::string on;
  std::int64_t place = 0;    ///< over time: which of its places
  Over over = Over::Length;  ///< along lines: from where each begins, or by one coordinate
  bool operator==(const PlotChoice&) const = default;
};

struct ImageSettings {
  std::array<int, 2> sizePixels{1280, 800};
  scene::Rgba background{1, 1, 1, 1};
  std::string title;
  bool legend = true;
  std::map<std::string, scene::LegendLook> legends = {};  ///< by function
  scene::Annotations notes = {};
  scene::Clip clip = {};  ///< what is cut away of all objects, but for those that are not clipped
  double phase =
      0;  ///< by how much particles, dashes and textures have moved on, of the way from one to the next
  bool operator==(const ImageSettings&) const = default;
};
struct OutputSettings {
  bool images = true, geometry = true;
  /// Surfaces are written in pieces of at most so many triangles, or of one patch's, in the order of patches; 0: as one file.
  std::int64_t pieceTriangles = 0;
  static constexpr std::int64_t kLeastPiece = 1000, kMostPiece = 2'000'000'000;
  bool operator==(const OutputSettings&) const = default;
};

struct Session {
  std::string name;                  ///< names the pictures; the session's file name without its ending
  std::filesystem::path baseFolder;  ///< what relative paths are relative to
  std::vector<DataSource> data;
  std::vector<Object> objects;
  TimeSelection time;
  std::int64_t shownStep = 0;  ///< in the window; batch runs ignore it
  /// Of that step, when it was saved; there may be fewer files since, or more. None where it is the first, or of older sessions.
  std::optional<double> shownTime = {};
  std::variant<AutoCamera, FixedCamera> camera;
  std::vector<NamedView> views;
  ViewLayout layout;
  std::optional<PlotChoice> plot;
  ImageSettings image;
  OutputSettings output;

  /// The data source of that name; nullptr if there is none.
  const DataSource* find(const std::string& dataName) const;
  /// `written` as it can be opened: a URL unchanged, a relative path from baseFolder.
  std::string resolve(const std::string& written) const;
  bool operator==(const Session&) const = default;
};

}  // namespace farfield::session
