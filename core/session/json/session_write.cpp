// From a session to JSON: keys in the order of the documentation, without those that have their default.

#include "core/session/json/camera_json.h"
#include "core/session/json/json_document.h"
#include "core/session/json/look_names.h"
#include "core/session/json/session_json.h"
#include "core/session/json/write_values.h"

namespace farfield::session {
namespace {

using detail::Json;
using detail::jsonOf;
using detail::Keys;

Json jsonOf(const Coloring& color) {
  if (color.by.empty()) return jsonOf(color.solid);
  Json out = {{"by", color.by}};
  Keys keys(out);
  if (color.map.points.empty()) {
    keys.put("map", color.map.name, scene::MapChoice{}.name);
  } else {
    Json points = Json::array();
    for (const scene::MapPoint& point : color.map.points)
      points.push_back({point.place, jsonOf(scene::Rgba{point.color[0] / 255.0f, point.color[1] / 255.0f,
                                                        point.color[2] / 255.0f, 1})});
    out["map"] = {{"name", color.map.name}, {"points", std::move(points)}};
  }
  keys.put("inverted", color.map.inverted, false);
  keys.put("bands", color.map.bands, 0);
  keys.put("range", color.range);
  if (!color.range && color.rangeOf != RangeOf::Shown)
    out["range"] = kRangeNames[static_cast<std::size_t>(color.rangeOf)];
  keys.put("apart", color.apart, false);
  keys.put("log", color.logarithmic, false);
  keys.put("lines", color.bandLines, false);
  if (color.below) out["below"] = jsonOf(*color.below);
  if (color.above) out["above"] = jsonOf(*color.above);
  keys.put("nan", color.nan, Coloring{}.nan);
  return out;
}

Json jsonOf(const Object& object) {
  Json out = {{"name", object.name}, {"type", nameOf(object.type())}, {"data", object.data}};
  Keys keys(out);
  std::visit([&](const auto& its) { writeKeys(keys, its); }, object.shape);
  if (object.color != Coloring{}) keys.set("color", jsonOf(object.color));
  if (object.engine != usualEngine(object.shape))
    out["engine"] = kEngineNames[static_cast<std::size_t>(object.engine)];
  if (object.budgetMs) out["budget"] = {{"milliseconds", *object.budgetMs}};
  keys.put("visible", object.visible, true);
  keys.put("opacity", object.opacity, 1.0);
  if (object.lighting) out["lighting"] = kLightingNames[static_cast<std::size_t>(*object.lighting)];
  keys.put("edges", object.edges, false);
  keys.put("clipped", object.clipped, true);
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

Json jsonOf(const scene::LegendLook& look) {
  Json out = Json::object();
  Keys keys(out);
  keys.put("visible", look.visible, true);
  keys.put("title", look.title, std::string());
  keys.put("place", look.place);
  keys.put("size", look.size, 1.0);
  keys.put("digits", look.digits, 0);
  keys.put("labels", look.labels, 0);
  return out;
}

Json jsonOf(const ImageSettings& image) {
  Json out = Json::object();
  Keys keys(out);
  keys.put("size", image.sizePixels, ImageSettings{}.sizePixels);
  keys.put("background", image.background, ImageSettings{}.background);
  keys.put("title", image.title, std::string());
  keys.put("legend", image.legend, true);
  for (const auto& [function, look] : image.legends)
    // One of certain data may be as at first where that of the function is not.
    if (look != scene::LegendLook{} || function.find(':') != std::string::npos)
      out["legends"][function] = jsonOf(look);
  for (const scene::TextNote& note : image.notes.texts) {
    Json text = {{"text", note.text}};
    Keys its(text);
    its.put("place", note.place, scene::TextNote{}.place);
    its.put("size", note.size, 1.0);
    out["texts"].push_back(std::move(text));
  }
  keys.put("scaleBar", image.notes.scaleBar, false);
  keys.put("axes", image.notes.axes, false);
  keys.put("orientation", image.notes.orientation, false);
  if (!image.clip.empty()) keys.set("clip", jsonOf(image.clip));
  keys.put("phase", image.phase, 0.0);
  return out;
}

Json jsonOf(const ViewLayout& layout) {
  Json out = {{"views", Json::array()}};
  for (const SideView& view : layout.views) {
    Json side = Json::object();
    Keys keys(side);
    if (view.camera) keys.set("camera", jsonOf(std::variant<AutoCamera, FixedCamera>(*view.camera)));
    keys.put("data", view.data, std::string());
    if (!view.hidden.empty()) side["hidden"] = view.hidden;
    out["views"].push_back(std::move(side));
  }
  Keys keys(out);
  keys.put("over", layout.over, false);
  keys.put("divider", layout.divider, ViewLayout{}.divider);
  for (const ColorsBefore& its : layout.before)
    out["before"].push_back({{"object", its.object}, {"color", jsonOf(its.color)}});
  return out;
}

Json jsonOf(const PlotChoice& plot) {
  Json out = {{"kind", kPlotKindNames[static_cast<std::size_t>(plot.kind)]}};
  Keys keys(out);
  keys.put("data", plot.data, std::string());
  keys.put("by", plot.by, std::string());
  keys.put("on", plot.on, std::string());
  if (plot.kind == PlotChoice::Kind::Along)
    keys.put("over", std::string(kPlotOverNames[static_cast<std::size_t>(plot.over)]),
             std::string(kPlotOverNames.front()));
  else if (plot.place == kAllPlaces)
    keys.set("place", kAllPlacesName);
  else
    keys.put("place", plot.place, std::int64_t{0});
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
  if (session.shownStep > 0) {
    out["time"]["shown"] = session.shownStep;
    if (session.shownTime) out["time"]["shownTime"] = *session.shownTime;
  }
  Keys keys(out);
  if (session.camera != std::variant<AutoCamera, FixedCamera>{}) keys.set("camera", jsonOf(session.camera));
  for (const NamedView& view : session.views) {
    Json kept = {{"name", view.name}, {"camera", jsonOf(view.camera)}};
    if (view.aspect) kept["aspect"] = *view.aspect;
    out["views"].push_back(std::move(kept));
  }
  if (!session.layout.views.empty()) keys.set("layout", jsonOf(session.layout));
  if (session.plot) keys.set("plot", jsonOf(*session.plot));
  if (session.image != ImageSettings{}) keys.set("image", jsonOf(session.image));
  if (session.output != OutputSettings{}) {
    Json output = {{"images", session.output.images}, {"geometry", session.output.geometry}};
    if (session.output.pieceTriangles > 0) output["pieces"] = session.output.pieceTriangles;
    keys.set("output", std::move(output));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace farfield::session
