// From a session to JSON: keys in the order of the documentation, without those that have their default.

#include <cmath>
#include <cstdio>

#include "core/session/json_document.h"
#include "core/session/session_json.h"

namespace farfield::session {
namespace {

using detail::Json;

Json jsonOf(Vec3 v) {
  return Json::array({v.x, v.y, v.z});
}

Json jsonOf(const scene::Rgba& color) {
  std::string text = "#";
  for (std::size_t i = 0; i < (color[3] == 1 ? 3u : 4u); ++i) {
    char pair[8];
    std::snprintf(pair, sizeof pair, "%02x", static_cast<int>(std::lround(color[i] * 255.0f)) & 255);
    text += pair;
  }
  return text;
}

Json jsonOf(const IndexRange& range) {
  return Json::array({range.first, range.last});
}

Json jsonOf(const IndexRange3& range) {
  Json out = Json::object();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (range[axis] != IndexRange{}) out[std::string(1, "ijk"[axis])] = jsonOf(range[axis]);
  return out;
}

/// The text itself, or a list when there are several.
Json jsonOf(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? Json(texts[0]) : Json(texts);
}

Json jsonOf(const Integrator& integrator);
Json jsonOf(Direction direction);
Json jsonOf(const Coloring& color);
Json jsonOf(const std::variant<AutoCamera, FixedCamera>& camera);
Json jsonOf(const ImageSettings& image);

/// Sets `key` unless the value is the default.
template <class T>
void put(Json& out, const char* key, const T& value, const T& byDefault) {
  if (value == byDefault) return;
  if constexpr (requires { jsonOf(value); })
    out[key] = jsonOf(value);
  else
    out[key] = value;
}
template <class T>
void put(Json& out, const char* key, const std::optional<T>& value) {
  if (value) out[key] = *value;
}

struct SeedsToJson {
  Json operator()(const PointSeeds& s) const {
    Json points = Json::array();
    for (const Vec3& point : s.points) points.push_back(jsonOf(point));
    return {{"type", "points"}, {"points", std::move(points)}};
  }
  Json operator()(const LineSeeds& s) const {
    return {{"type", "line"}, {"from", jsonOf(s.from)}, {"to", jsonOf(s.to)}, {"count", s.count}};
  }
  Json operator()(const PlaneSeeds& s) const {
    return {{"type", "plane"},
            {"origin", jsonOf(s.origin)},
            {"axis1", jsonOf(s.axis1)},
            {"axis2", jsonOf(s.axis2)},
            {"counts", s.counts}};
  }
  Json operator()(const BoxSeeds& s) const {
    return {{"type", "box"}, {"min", jsonOf(s.min)}, {"max", jsonOf(s.max)}, {"counts", s.counts}};
  }
  Json operator()(const GridPointSeeds& s) const {
    Json out = {{"type", "grid-points"}, {"block", s.block}};
    put(out, "range", s.range, IndexRange3{});
    put(out, "stride", s.stride, {1, 1, 1});
    return out;
  }
  Json operator()(const SpreadSeeds& s) const { return {{"type", "spread"}, {"count", s.count}}; }
};

Json jsonOf(const Integrator& integrator) {
  Json out = Json::object();
  const bool rk4 = integrator.method == IntegratorMethod::Rk4;
  if (rk4) out["method"] = "rk4";
  put(out, "tolerance", integrator.tolerance);
  if (rk4) put(out, "step", integrator.stepCells, Integrator{}.stepCells);
  put(out, "maxTime", integrator.maxTime);
  put(out, "maxLength", integrator.maxLength);
  put(out, "maxSteps", integrator.maxSteps, Integrator{}.maxSteps);
  return out;
}

Json jsonOf(Direction direction) {
  return direction == Direction::Both ? "both" : direction == Direction::Forward ? "forward" : "backward";
}

void putBlocks(Json& out, const std::vector<std::int64_t>& blocks) {
  if (blocks.size() == 1)
    out["block"] = blocks[0];
  else if (!blocks.empty())
    out["blocks"] = blocks;
}

template <class Lines>
void putLines(Json& out, const Lines& lines) {
  put(out, "vector", lines.vector, Lines{}.vector);
  if constexpr (requires { lines.direction; }) put(out, "direction", lines.direction, Lines{}.direction);
  out["seeds"] = std::visit(SeedsToJson{}, lines.seeds);
  put(out, "integrator", lines.integrator, Integrator{});
  put(out, "width", lines.widthPixels, Lines{}.widthPixels);
}

struct ShapeToJson {
  Json& out;
  void operator()(const Streamlines& s) const { putLines(out, s); }
  void operator()(const Pathlines& s) const { putLines(out, s); }
  void operator()(const Streaklines& s) const { putLines(out, s); }
  void operator()(const GridSurface& s) const {
    if (!s.surface.empty()) {
      out["surface"] = s.surface;
      return;
    }
    putBlocks(out, s.blocks);
    put(out, "range", s.range, IndexRange3{});
  }
  void operator()(const Slice& s) const {
    if (s.origin) out["origin"] = jsonOf(*s.origin);
    put(out, "normal", s.normal, Slice{}.normal);
  }
  void operator()(const Isosurface& s) const {
    out["by"] = s.by;
    if (s.values.size() == 1)
      out["value"] = s.values[0];
    else
      out["value"] = s.values;
  }
  void operator()(const Volume&) const {}
  void operator()(const Slabs&) const {}
  void operator()(const Outline& s) const {
    putBlocks(out, s.blocks);
    put(out, "width", s.widthPixels, Outline{}.widthPixels);
  }
};

Json jsonOf(const Coloring& color) {
  if (color.by.empty()) return jsonOf(color.solid);
  Json out = {{"by", color.by}};
  if (color.map.points.empty()) {
    put(out, "map", color.map.name, scene::MapChoice{}.name);
  } else {
    Json points = Json::array();
    for (const scene::MapPoint& point : color.map.points)
      points.push_back({point.place, jsonOf(scene::Rgba{point.color[0] / 255.0f, point.color[1] / 255.0f,
                                                        point.color[2] / 255.0f, 1})});
    out["map"] = {{"name", color.map.name}, {"points", std::move(points)}};
  }
  put(out, "inverted", color.map.inverted, false);
  put(out, "bands", color.map.bands, 0);
  put(out, "range", color.range);
  if (!color.range && color.symmetric) out["range"] = "symmetric";
  put(out, "log", color.logarithmic, false);
  put(out, "nan", color.nan, Coloring{}.nan);
  return out;
}

Json jsonOf(const Object& object) {
  Json out = {{"name", object.name}, {"type", nameOf(object.type())}, {"data", object.data}};
  std::visit(ShapeToJson{out}, object.shape);
  put(out, "color", object.color, Coloring{});
  if (object.engine != (object.type() == ObjectType::Volume ? Engine::Auto : Engine::Cpu)) {
    static constexpr const char* kNames[] = {"cpu", "opencl", "auto"};
    out["engine"] = kNames[static_cast<int>(object.engine)];
  }
  if (object.budgetMs) out["budget"] = {{"milliseconds", *object.budgetMs}};
  put(out, "visible", object.visible, true);
  put(out, "opacity", object.opacity, 1.0);
  return out;
}

Json jsonOf(const DataSource& source) {
  Json out = {{"source", jsonOf(source.source)}};
  if (!source.solution.empty()) out["solution"] = jsonOf(source.solution);
  if (!source.reader.empty()) out["reader"] = source.reader;
  for (const auto& [key, value] : source.options)
    std::visit([&out, &name = key](const auto& v) { out["options"][name] = v; }, value);
  return out;
}

Json jsonOf(const std::variant<AutoCamera, FixedCamera>& camera) {
  if (const auto* seeing = std::get_if<AutoCamera>(&camera)) {
    if (*seeing == AutoCamera{}) return "auto";
    return {{"direction", jsonOf(seeing->direction)}, {"up", jsonOf(seeing->up)}};
  }
  const auto& fixed = std::get<FixedCamera>(camera);
  Json out = {{"position", jsonOf(fixed.position)}, {"target", jsonOf(fixed.target)}};
  put(out, "up", fixed.up, FixedCamera{}.up);
  put(out, "fieldOfView", fixed.fieldOfViewDegrees, FixedCamera{}.fieldOfViewDegrees);
  put(out, "orthographic", fixed.orthographicHeight);
  return out;
}

Json jsonOf(const ImageSettings& image) {
  Json out = Json::object();
  put(out, "size", image.sizePixels, ImageSettings{}.sizePixels);
  put(out, "background", image.background, ImageSettings{}.background);
  put(out, "title", image.title, std::string());
  put(out, "legend", image.legend, true);
  return out;
}

}  // namespace

std::string toJson(const Session& session) {
  Json out = {{"farfield", 1}, {"data", Json::object()}, {"objects", Json::array()}};
  for (const DataSource& source : session.data) out["data"][source.name] = jsonOf(source);
  for (const Object& object : session.objects) out["objects"].push_back(jsonOf(object));
  if (session.time != TimeSelection{}) {
    Json steps = jsonOf(session.time.steps);
    if (session.time.stride != 1) steps.push_back(session.time.stride);
    out["time"] = {{"steps", std::move(steps)}};
  }
  put(out, "camera", session.camera, {});
  for (const NamedView& view : session.views)
    out["views"].push_back({{"name", view.name}, {"camera", jsonOf(view.camera)}});
  put(out, "image", session.image, ImageSettings{});
  if (session.output != OutputSettings{})
    out["output"] = {{"images", session.output.images}, {"geometry", session.output.geometry}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace farfield::session
