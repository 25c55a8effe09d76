#include "core/session/json/read_object.h"

#include <algorithm>
#include <cmath>

#include "core/session/json/look_names.h"
#include "core/session/json/on_surface.h"
#include "core/session/json/read_values.h"

namespace farfield::session::detail {
namespace {

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
    if (i > 0 && points[i].place < points[i - 1].place) return point.wrong("the places must ascend");
  }
  if (points.front().place != 0 || points.back().place != 1)
    return view.wrong("must begin at place 0 and end at place 1");
  out = std::move(points);
}

}  // namespace

void readColoring(const View& view, Coloring& out) {
  if (!view.present()) return;
  if (view.isText()) {
    readColor(view, out.solid);
    return;
  }
  if (!view.object(
          {"by", "map", "inverted", "bands", "range", "apart", "log", "lines", "below", "above", "nan"}))
    return;
  view["by"].require("name a function, or write a colour \"#rrggbb\" instead");
  readFunction(view["by"], out.by);
  readMap(view["map"], out.map);
  view["inverted"].read(out.map.inverted);
  if (std::int64_t bands = 0; view["bands"].read(bands, 2, scene::kMostBands))
    out.map.bands = static_cast<int>(bands);
  if (view["lines"].read(out.bandLines) && out.bandLines && out.map.bands == 0)
    view["lines"].wrong("lines lie between bands", "say how many: \"bands\": 12");
  view["log"].read(out.logarithmic);
  view["apart"].read(out.apart);
  readColor(view["nan"], out.nan);
  for (auto [key, place] : {std::pair{"below", &out.below}, std::pair{"above", &out.above}})
    if (scene::Rgba color{}; readColor(view[key], color)) *place = color;
  const View range = view["range"];
  if (!range.present() || range.isText("auto")) return;
  for (const RangeOf which : {RangeOf::Symmetric, RangeOf::Step, RangeOf::Data}) {
    if (!range.isText(kRangeNames[static_cast<std::size_t>(which)])) continue;
    if (which == RangeOf::Symmetric && out.logarithmic)
      return range.wrong("a logarithmic scale cannot reach below 0");
    out.rangeOf = which;
    return;
  }
  std::array<double, 2> ends{};
  if (!range.isList() || range.json().size() != 2)
    return range.mustBe("\"auto\", \"symmetric\", \"step\", \"data\" or [least, greatest]");
  if (!range.element(0).read(ends[0]) || !range.element(1).read(ends[1])) return;
  if (!(ends[0] < ends[1])) return range.wrong("must ascend");
  if (out.logarithmic && !(ends[1] > 0))
    return range.wrong("must reach above 0 where the scale is logarithmic");
  out.range = ends;
}

namespace {

/// Reads the keys of an object of kind `type`.
Shape readShape(const View& view, ObjectType type) {
  Shape shape = shapeOf(type);
  std::visit([&](auto& its) { readKeys(view, its); }, shape);
  return shape;
}

/// "objects.lines" if the object has a usable name, else "objects.0".
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
  std::vector<const char*> names;
  for (int n = 0; n < kTypeCount; ++n) names.push_back(nameOf(ObjectType{n}));
  const auto type = view["type"].choice(names);
  if (!type) return;
  object.shape = readShape(view, ObjectType{*type});
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
  object.engine = usualEngine(object.shape);
  if (const auto engine = view["engine"].choice(kEngineNames)) object.engine = static_cast<Engine>(*engine);
  if (const View budget = view["budget"]; budget.object({"milliseconds"})) {
    std::int64_t milliseconds = 0;
    budget["milliseconds"].require();
    if (budget["milliseconds"].read(milliseconds, 1, 1'000'000'000)) object.budgetMs = milliseconds;
  }
  view["visible"].read(object.visible);
  view["opacity"].read(object.opacity, {0, 1});
  if (object.type() != kTypeOf<Volume>)
    if (const auto lighting = view["lighting"].choice(kLightingNames))
      object.lighting = static_cast<scene::Lighting>(*lighting);
  if (view["edges"].read(object.edges) && object.edges && !isSurface(object))
    view["edges"].wrong("only grid surfaces, slices and isosurfaces have edges of cells");
  view["clipped"].read(object.clipped);
  session.objects.push_back(std::move(object));
}

/// Objects on others get their shapes.
void connectSurfaces(Problems& problems, Session& session) {
  for (Object& object : session.objects) {
    OnSurface* const on = surfaceUnder(object);
    if (!on || on->name.empty()) continue;
    const std::string path = "objects." + object.name + ".on";
    const auto under = std::find_if(session.objects.begin(), session.objects.end(),
                                    [&](const Object& other) { return other.name == on->name; });
    if (under == session.objects.end())
      problems.wrong(path, "there is no object '" + on->name + "'",
                     "name a slice, a grid-surface or an isosurface");
    else if (!isSurface(*under))
      problems.wrong(path, "'" + on->name + "' is no surface",
                     "name a slice, a grid-surface or an isosurface");
    else if (under->data != object.data)
      problems.wrong(path, "'" + on->name + "' is a surface of the data '" + under->data + "'",
                     "show the same data");
    else
      followSurface(*on, *under);
  }
}

}  // namespace

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

void readObjects(const View& list, Problems& problems, Session& session) {
  for (const View& element : list.elements()) readObject(namedElement(element, problems), session);
  connectSurfaces(problems, session);
}

}  // namespace farfield::session::detail
