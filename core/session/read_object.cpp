#include "core/session/read_object.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/session/read_values.h"

namespace farfield::session::detail {
namespace {

/// Seeds are numbered by 32-bit integers in the files that are written.
constexpr std::int64_t kMaxSeeds = std::numeric_limits<std::int32_t>::max();

/// A function by its name, or by NASA's number as a number.
void readFunction(const View& view, std::string& out) {
  std::int64_t number = 0;
  if (view.isNumber()) {
    if (view.read(number, 1, 999)) out = std::to_string(number);
  } else {
    view.read(out);
  }
}

void readRange3(const View& view, IndexRange3& out) {
  if (!view.object({"i", "j", "k"})) return;
  readRange(view["i"], out[0]);
  readRange(view["j"], out[1]);
  readRange(view["k"], out[2]);
}

template <std::size_t N>
void readCounts(const View& view, std::array<std::int64_t, N>& out) {
  view.require();
  if (!view.readIntegers(out, 1, kMaxSeeds)) return;
  std::int64_t total = 1;
  for (const std::int64_t count : out) {
    if (total > kMaxSeeds / count)
      return view.wrong("more than " + std::to_string(kMaxSeeds) + " seeds", "ask for fewer");
    total *= count;
  }
}

Seeds readPoints(const View& view) {
  PointSeeds seeds;
  const View points = view["points"];
  points.require();
  if (points.present() && !points.isList()) points.mustBe("a list of points [[x, y, z], …]");
  if (!points.isList()) return seeds;
  seeds.points.resize(points.json().size());
  for (std::size_t i = 0; i < seeds.points.size(); ++i)
    if (!points.element(i).read(seeds.points[i])) break;
  return seeds;
}

Seeds readSeeds(const View& view) {
  view.require("say where the lines start");
  if (!view.isObject()) {
    view.object({});
    return PointSeeds{};
  }
  const View type = view["type"];
  type.require("one of points, line, plane, box, grid-points, spread");
  const auto kind = type.choice({"points", "line", "plane", "box", "grid-points", "spread"});
  if (!kind) return PointSeeds{};
  switch (*kind) {
    case 0: {
      view.object({"type", "points"});
      return readPoints(view);
    }
    case 1: {
      view.object({"type", "from", "to", "count"});
      LineSeeds seeds;
      readRequired(view["from"], seeds.from);
      readRequired(view["to"], seeds.to);
      view["count"].require();
      view["count"].read(seeds.count, 1, kMaxSeeds);
      return seeds;
    }
    case 2: {
      view.object({"type", "origin", "axis1", "axis2", "counts"});
      PlaneSeeds seeds;
      readRequired(view["origin"], seeds.origin);
      readRequired(view["axis1"], seeds.axis1);
      readRequired(view["axis2"], seeds.axis2);
      readCounts(view["counts"], seeds.counts);
      return seeds;
    }
    case 3: {
      view.object({"type", "min", "max", "counts"});
      BoxSeeds seeds;
      readRequired(view["min"], seeds.min);
      readRequired(view["max"], seeds.max);
      readCounts(view["counts"], seeds.counts);
      return seeds;
    }
    case 4: {
      view.object({"type", "block", "range", "stride"});
      GridPointSeeds seeds;
      view["block"].read(seeds.block, 0, kMaxSeeds);
      readRange3(view["range"], seeds.range);
      const View stride = view["stride"];
      if (stride.isNumber()) {
        if (stride.read(seeds.stride[0], 1, kMaxSeeds)) seeds.stride.fill(seeds.stride[0]);
      } else {
        stride.readIntegers(seeds.stride, 1, kMaxSeeds);
      }
      return seeds;
    }
    default: {
      view.object({"type", "count"});
      SpreadSeeds seeds;
      view["count"].require();
      view["count"].read(seeds.count, 1, kMaxSeeds);
      return seeds;
    }
  }
}

void readIntegrator(const View& view, Integrator& out) {
  if (!view.object({"method", "tolerance", "step", "maxTime", "maxLength", "maxSteps"})) return;
  if (const auto method = view["method"].choice({"dopri5", "rk4"}))
    out.method = static_cast<IntegratorMethod>(*method);
  if (out.method == IntegratorMethod::Rk4 && view["tolerance"].present())
    view["tolerance"].wrong("rk4 has no tolerance", "set step, in cells, or use dopri5");
  if (out.method == IntegratorMethod::Dopri5 && view["step"].present())
    view["step"].wrong("dopri5 chooses its steps", "set tolerance, or use rk4");
  view["tolerance"].read(out.tolerance, kPositive);
  view["step"].read(out.stepCells, {0, 100, true});
  view["maxTime"].read(out.maxTime, kPositive);
  view["maxLength"].read(out.maxLength, kPositive);
  view["maxSteps"].read(out.maxSteps, 1, kAnyInteger);
}

void readMapPoints(const View& view, std::vector<scene::MapPoint>& out) {
  view.require("list [place, \"#rrggbb\"] from place 0 to place 1");
  if (!view.present()) return;
  if (!view.isList()) return view.mustBe("a list of points [place, \"#rrggbb\"]");
  const std::size_t count = view.json().size();
  if (count < 2 || count > scene::kMostMapPoints)
    return view.wrong("a map has 2 to " + std::to_string(scene::kMostMapPoints) + " points");
  std::vector<scene::MapPoint> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    const View point = view.element(i);
    if (!point.isList() || point.json().size() != 2) return point.mustBe("[place, \"#rrggbb\"]");
    scene::Rgba color{};
    if (!point.element(0).read(points[i].place, {0, 1})) return;
    if (!readColor(point.element(1), color)) return;
    for (std::size_t c = 0; c < 3; ++c)
      points[i].color[c] = static_cast<std::uint8_t>(std::lround(255 * color[c]));
    if (i > 0 && points[i].place < points[i - 1].place) return point.wrong("places must ascend");
  }
  if (points.front().place != 0 || points.back().place != 1)
    return view.wrong("must begin at place 0 and end at place 1");
  out = std::move(points);
}

void readMap(const View& view, scene::MapChoice& out) {
  if (!view.isObject()) {
    view.read(out.name);
    return;
  }
  if (!view.object({"name", "points"})) return;
  out.name = "custom";
  view["name"].read(out.name);
  readMapPoints(view["points"], out.points);
}

void readColoring(const View& view, Coloring& out) {
  if (!view.present()) return;
  if (view.isText()) {
    readColor(view, out.solid);
    return;
  }
  if (!view.object({"by", "map", "inverted", "bands", "range", "log", "nan"})) return;
  view["by"].require("name a function, or write a colour \"#rrggbb\" instead");
  readFunction(view["by"], out.by);
  readMap(view["map"], out.map);
  view["inverted"].read(out.map.inverted);
  if (std::int64_t bands = 0; view["bands"].read(bands, 2, scene::kMostBands))
    out.map.bands = static_cast<int>(bands);
  view["log"].read(out.logarithmic);
  readColor(view["nan"], out.nan);
  const View range = view["range"];
  if (!range.present() || range.isText("auto")) return;
  if (range.isText("symmetric")) {
    if (out.logarithmic) return range.wrong("a logarithmic scale cannot reach below 0");
    out.symmetric = true;
    return;
  }
  std::array<double, 2> ends{};
  if (!range.isList() || range.json().size() != 2)
    return range.mustBe("\"auto\", \"symmetric\" or [least, greatest]");
  if (!range.element(0).read(ends[0]) || !range.element(1).read(ends[1])) return;
  if (!(ends[0] < ends[1])) return range.wrong("must ascend");
  if (out.logarithmic && !(ends[0] > 0)) return range.wrong("must be above 0 where the scale is logarithmic");
  out.range = ends;
}

void readVector(const View& view, std::vector<std::string>& out) {
  std::vector<std::string> names;
  if (!view.readTexts(names)) return;
  if (names.size() != 1 && names.size() != 3)
    return view.mustBe("a name or three names [\"u\", \"v\", \"w\"]");
  out = std::move(names);
}

void readDirection(const View& view, Direction& out) {
  if (const auto direction = view.choice({"both", "forward", "backward"}))
    out = static_cast<Direction>(*direction);
}

void readBlocks(const View& view, std::vector<std::int64_t>& out) {
  const View one = view["block"], many = view["blocks"];
  if (one.present() && many.present()) return many.wrong("block is given too", "give one of the two");
  if (one.present()) {
    std::int64_t block = 0;
    if (one.read(block, 0, kMaxSeeds)) out = {block};
  } else if (many.present() && !many.isText("all")) {
    if (!many.isList() || many.json().empty()) return many.mustBe("\"all\" or a list of block numbers");
    std::vector<std::int64_t> blocks(many.json().size());
    if (!many.readIntegers(blocks, 0, kMaxSeeds)) return;
    if (std::set<std::int64_t>(blocks.begin(), blocks.end()).size() != blocks.size())
      return many.wrong("names a block twice");
    out = std::move(blocks);
  }
}

/// Keys of an object: those of every type and `more`.
bool checkKeys(const View& view, std::initializer_list<const char*> more) {
  std::vector<std::string> keys{"name", "type", "data", "visible", "opacity", "color", "engine", "budget"};
  keys.insert(keys.end(), more.begin(), more.end());
  return view.object(keys);
}

constexpr Limits kWidth{0, 100, true};

template <class Lines>
Lines readLines(const View& view) {
  Lines lines;
  readVector(view["vector"], lines.vector);
  lines.seeds = readSeeds(view["seeds"]);
  readIntegrator(view["integrator"], lines.integrator);
  view["width"].read(lines.widthPixels, kWidth);
  return lines;
}

Shape readShape(const View& view, ObjectType type) {
  switch (type) {
    case ObjectType::Streamlines: {
      checkKeys(view, {"vector", "direction", "seeds", "integrator", "width"});
      auto lines = readLines<Streamlines>(view);
      readDirection(view["direction"], lines.direction);
      return lines;
    }
    case ObjectType::Pathlines: {
      checkKeys(view, {"vector", "direction", "seeds", "integrator", "width"});
      auto lines = readLines<Pathlines>(view);
      readDirection(view["direction"], lines.direction);
      return lines;
    }
    case ObjectType::Streaklines:
      checkKeys(view, {"vector", "seeds", "integrator", "width"});
      return readLines<Streaklines>(view);
    case ObjectType::GridSurface: {
      checkKeys(view, {"block", "blocks", "range", "surface"});
      GridSurface surface;
      view["surface"].read(surface.surface);
      for (const char* const key : {"block", "blocks", "range"})
        if (view["surface"].present() && view[key].present())
          view["surface"].wrong(std::string(key) + " is given too", "a surface of the data has its own");
      readBlocks(view, surface.blocks);
      readRange3(view["range"], surface.range);
      return surface;
    }
    case ObjectType::Slice: {
      checkKeys(view, {"origin", "normal"});
      Slice slice;
      Vec3 origin;
      if (view["origin"].read(origin)) slice.origin = origin;
      if (view["normal"].read(slice.normal) && slice.normal == Vec3{0, 0, 0})
        view["normal"].wrong("has no direction", "give one such as [0, 0, 1]");
      return slice;
    }
    case ObjectType::Isosurface: {
      checkKeys(view, {"by", "value"});
      Isosurface surface;
      view["by"].require("name a function");
      readFunction(view["by"], surface.by);
      const View value = view["value"];
      value.require();
      if (value.isList()) {
        surface.values.resize(value.json().size());
        for (std::size_t i = 0; i < surface.values.size(); ++i) value.element(i).read(surface.values[i]);
      } else {
        double number = 0;
        if (value.read(number)) surface.values = {number};
      }
      return surface;
    }
    case ObjectType::Volume:
      checkKeys(view, {});
      return Volume{};
    case ObjectType::Slabs:
      checkKeys(view, {});
      return Slabs{};
    case ObjectType::Outline: {
      checkKeys(view, {"block", "blocks", "width"});
      Outline outline;
      readBlocks(view, outline.blocks);
      view["width"].read(outline.widthPixels, kWidth);
      return outline;
    }
  }
  return Outline{};
}

/// "objects.lines" where the object has a usable name, else "objects.0".
View namedElement(const View& element, Problems& problems) {
  Problems unheeded;
  std::string name;
  if (readName(View(element, unheeded)["name"], name)) return {&element.json(), "objects." + name, problems};
  return element;
}

std::string dataNames(const Session& session) {
  std::string names;
  for (const DataSource& source : session.data) names += (names.empty() ? "" : ", ") + source.name;
  return names;
}

void readObject(const View& view, Session& session) {
  if (!view.isObject()) {
    view.mustBe("an object {…}");
    return;
  }
  Object object;
  view["type"].require("one of streamlines, grid-surface, outline, …");
  const auto type = view["type"].choice({"streamlines", "pathlines", "streaklines", "grid-surface", "slice",
                                         "isosurface", "volume", "slabs", "outline"});
  if (!type) return;
  object.shape = readShape(view, static_cast<ObjectType>(*type));
  object.name = nameOf(object.type());
  readName(view["name"], object.name);
  const auto same = [&](const Object& other) { return other.name == object.name; };
  if (std::any_of(session.objects.begin(), session.objects.end(), same))
    view["name"].wrong("another object is called '" + object.name + "'", "give each a name of its own");

  const View data = view["data"];
  if (session.data.size() == 1)
    object.data = session.data[0].name;
  else
    data.require("name one of " + dataNames(session));
  if (data.read(object.data) && !session.find(object.data))
    data.wrong("there is no data source '" + object.data + "'", "there are: " + dataNames(session));

  readColoring(view["color"], object.color);
  object.engine = object.type() == ObjectType::Volume ? Engine::Auto : Engine::Cpu;
  if (const auto engine = view["engine"].choice({"cpu", "opencl", "auto"}))
    object.engine = static_cast<Engine>(*engine);
  if (const View budget = view["budget"]; budget.object({"milliseconds"})) {
    std::int64_t milliseconds = 0;
    budget["milliseconds"].require();
    if (budget["milliseconds"].read(milliseconds, 1, 1'000'000'000)) object.budgetMs = milliseconds;
  }
  view["visible"].read(object.visible);
  view["opacity"].read(object.opacity, {0, 1});
  session.objects.push_back(std::move(object));
}

}  // namespace

void readObjects(const View& list, Problems& problems, Session& session) {
  for (const View& element : list.elements()) readObject(namedElement(element, problems), session);
}

}  // namespace farfield::session::detail
