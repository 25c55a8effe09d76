#pragma once
// A session: what to show, of what data, from where, at which times, and what to write. It is a plain value;
// session_json.h reads and writes it as the JSON document that users keep, and the runner carries it out.
// Everything here is what the user asked for, with defaults filled in: whether a block, a function or a
// reader of that name exists is known only once the data are open.

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

namespace farfield::session {

using OptionValue = std::variant<bool, double, std::string>;
/// The value as a reader takes it: "true", "1.4", the text itself.
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

/// Node or step indices first … last, both included. Negative ones count from the end: -1 is the last.
struct IndexRange {
  std::int64_t first = 0, last = -1;
  bool operator==(const IndexRange&) const = default;
};
/// Along i, j, k; by default everything.
using IndexRange3 = std::array<IndexRange, 3>;

struct PointSeeds {
  std::vector<Vec3> points;
  bool operator==(const PointSeeds&) const = default;
};
/// `count` points from `from` to `to`, both included; one lies at `from`.
struct LineSeeds {
  Vec3 from, to;
  std::int64_t count = 2;
  bool operator==(const LineSeeds&) const = default;
};
/// counts[0] x counts[1] points over origin … origin + axis1 + axis2, ends included; the first axis fastest.
struct PlaneSeeds {
  Vec3 origin, axis1, axis2;
  std::array<std::int64_t, 2> counts{2, 2};
  bool operator==(const PlaneSeeds&) const = default;
};
/// counts points along x, y, z over min … max, ends included; x fastest.
struct BoxSeeds {
  Vec3 min, max;
  std::array<std::int64_t, 3> counts{2, 2, 2};
  bool operator==(const BoxSeeds&) const = default;
};
/// Every stride-th node of a range of one block, i fastest.
struct GridPointSeeds {
  std::int64_t block = 0;
  IndexRange3 range;
  std::array<std::int64_t, 3> stride{1, 1, 1};
  bool operator==(const GridPointSeeds&) const = default;
};
/// `count` nodes scattered over all blocks, in proportion to their nodes; none on the blocks' faces.
struct SpreadSeeds {
  std::int64_t count = 1;
  bool operator==(const SpreadSeeds&) const = default;
};
using Seeds = std::variant<PointSeeds, LineSeeds, PlaneSeeds, BoxSeeds, GridPointSeeds, SpreadSeeds>;
/// How many seeds there are; none for grid points, which only the data can count. At most 2^31.
std::optional<std::int64_t> countOf(const Seeds& seeds);

enum class IntegratorMethod { Dopri5, Rk4 };

struct Integrator {
  IntegratorMethod method = IntegratorMethod::Dopri5;
  /// dopri5: largest local error of a step, in the data's length unit. None: 1e-6 of the bounds' diagonal.
  std::optional<double> tolerance;
  double stepCells = 0.1;           ///< rk4: length of a step, in cells
  std::optional<double> maxTime;    ///< per direction, in the data's time unit; none: no limit
  std::optional<double> maxLength;  ///< per direction, in the data's length unit; none: no limit
  std::int64_t maxSteps = 100'000;  ///< per direction
  bool operator==(const Integrator&) const = default;
};

/// How an object is coloured: by a function, or, where `by` is empty, in one colour.
struct Coloring {
  std::string by;
  scene::MapChoice map = {};
  std::optional<std::array<double, 2>> range;  ///< none: that of the values shown
  bool symmetric = false;                      ///< where there is no range: made as wide on both sides of 0
  bool logarithmic = false;
  scene::Rgba nan = scene::ColorScale{}.nanColor;  ///< of what is not a number
  scene::Rgba solid{0.2f, 0.2f, 0.2f, 1};
  bool operator==(const Coloring&) const = default;
};

enum class Direction { Both, Forward, Backward };

struct Streamlines {
  std::vector<std::string> vector{"velocity"};  ///< a vector function, or the names of its three components
  Direction direction = Direction::Both;
  Seeds seeds;
  Integrator integrator;
  double widthPixels = 1.5;
  bool operator==(const Streamlines&) const = default;
};
struct Pathlines {
  std::vector<std::string> vector{"velocity"};
  Direction direction = Direction::Forward;
  Seeds seeds;
  Integrator integrator;
  double widthPixels = 1.5;
  bool operator==(const Pathlines&) const = default;
};
struct Streaklines {
  std::vector<std::string> vector{"velocity"};
  Seeds seeds;
  Integrator integrator;
  double widthPixels = 1.5;
  bool operator==(const Streaklines&) const = default;
};
/// Each block's part of `range`: where it is one node thick along an axis that sheet of nodes, otherwise the
/// outer faces of the box.
struct GridSurface {
  std::vector<std::int64_t> blocks;  ///< empty: all
  IndexRange3 range;
  std::string surface = {};  ///< one that the data name, in place of blocks and range
  bool operator==(const GridSurface&) const = default;
};
struct Slice {
  std::optional<Vec3> origin;  ///< none: the middle of the data
  Vec3 normal{0, 0, 1};
  bool operator==(const Slice&) const = default;
};
struct Isosurface {
  std::string by;
  std::vector<double> values;
  bool operator==(const Isosurface&) const = default;
};
struct Volume {
  bool operator==(const Volume&) const = default;
};
struct Slabs {
  bool operator==(const Slabs&) const = default;
};
struct Outline {
  std::vector<std::int64_t> blocks;  ///< empty: all
  double widthPixels = 1;
  bool operator==(const Outline&) const = default;
};

/// In the order of ObjectType.
using Shape =
    std::variant<Streamlines, Pathlines, Streaklines, GridSurface, Slice, Isosurface, Volume, Slabs, Outline>;
enum class ObjectType {
  Streamlines,
  Pathlines,
  Streaklines,
  GridSurface,
  Slice,
  Isosurface,
  Volume,
  Slabs,
  Outline
};
/// "streamlines", "grid-surface", …
const char* nameOf(ObjectType type);

enum class Engine { Cpu, OpenCl, Auto };

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
  ObjectType type() const { return static_cast<ObjectType>(shape.index()); }
  bool operator==(const Object&) const = default;
};

/// Which steps of the data are shown, one picture each.
struct TimeSelection {
  IndexRange steps;
  std::int64_t stride = 1;
  /// The step numbers that this means for data of `stepCount` steps, ascending. Throws Invalid when a step
  /// is not there.
  std::vector<std::int64_t> stepsOf(std::int64_t stepCount) const;
  bool operator==(const TimeSelection&) const = default;
};

/// Sees everything, from `direction` (from the middle of the data to the eye).
struct AutoCamera {
  Vec3 direction{1, -1, 0.7}, up{0, 0, 1};
  bool operator==(const AutoCamera&) const = default;
};
struct FixedCamera {
  Vec3 position, target, up{0, 0, 1};
  double fieldOfViewDegrees = 30;
  std::optional<double> orthographicHeight;  ///< of the view in data units; none: perspective
  bool operator==(const FixedCamera&) const = default;
};

/// A place to look from that is kept for later; batch runs do not look at it.
struct NamedView {
  std::string name;
  std::variant<AutoCamera, FixedCamera> camera;
  bool operator==(const NamedView&) const = default;
};

struct ImageSettings {
  std::array<int, 2> sizePixels{1280, 800};
  scene::Rgba background{1, 1, 1, 1};
  std::string title;
  bool legend = true;
  bool operator==(const ImageSettings&) const = default;
};
struct OutputSettings {
  bool images = true, geometry = true;
  bool operator==(const OutputSettings&) const = default;
};

struct Session {
  std::string name;                  ///< names the pictures; the file's name without its ending
  std::filesystem::path baseFolder;  ///< what relative paths are relative to
  std::vector<DataSource> data;
  std::vector<Object> objects;
  TimeSelection time;
  std::variant<AutoCamera, FixedCamera> camera;
  std::vector<NamedView> views;
  ImageSettings image;
  OutputSettings output;

  /// The data source of that name; nullptr where there is none.
  const DataSource* find(const std::string& dataName) const;
  /// `written` as it can be opened: a URL stays as it is, a relative path starts at baseFolder.
  std::string resolve(const std::string& written) const;
  bool operator==(const Session&) const = default;
};

}  // namespace farfield::session
