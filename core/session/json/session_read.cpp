// From JSON to a session: the keys, their values and defaults. Objects are in read_object.cpp.

#include <cmath>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/followed_path.h"
#include "core/base/url.h"
#include "core/session/json/camera_json.h"
#include "core/session/json/look_names.h"
#include "core/session/json/range_order.h"
#include "core/session/json/read_document.h"
#include "core/session/json/read_object.h"
#include "core/session/json/read_values.h"
#include "core/session/json/session_json.h"

namespace farfield::session {
namespace {

using detail::Json;
using detail::kAnyInteger;
using detail::kPositive;
using detail::Problems;
using detail::readCamera;
using detail::readColor;
using detail::readColoring;
using detail::readName;
using detail::readRange;
using detail::readRequired;
using detail::View;

void readData(const View& view, Session& session) {
  view.require("name at least one data set");
  if (!view.present()) return;
  if (!view.isObject()) return view.mustBe("an object {NAME: {\"source\": …}, …}");
  for (const auto& [key, ignored] : view.json().items()) {
    const View item = view[key];
    DataSource source;
    const Json name(key);
    if (!readName(item.withValue(&name), source.name)) continue;
    if (!item.object({"source", "solution", "reader", "options"})) continue;
    item["source"].require("name a file or a URL");
    item["source"].readTexts(source.source);
    item["solution"].readTexts(source.solution);
    item["reader"].read(source.reader);
    if (const View options = item["options"]; options.present()) {
      if (!options.isObject())
        options.mustBe("an object {…}");
      else {
        for (const auto& [option, value] : options.json().items()) {
          if (value.is_boolean())
            source.options[option] = value.get<bool>();
          else if (value.is_number_integer() && std::abs(value.get<double>()) >= 9007199254740992.0)  // 2^53
            source.options[option] = value.dump();
          else if (value.is_number())
            source.options[option] = value.get<double>();
          else if (value.is_string())
            source.options[option] = value.get<std::string>();
          else if (value.is_array() || value.is_object())
            // readers get lists and objects as text, as from a command line
            source.options[option] = value.dump(-1, ' ', false, Json::error_handler_t::replace);
          else
            options[option].mustBe("a number, a text, true, false, a list or an object");
        }
      }
    }
    session.data.push_back(std::move(source));
  }
}

void readTime(const View& view, TimeSelection& out, std::int64_t& shown, std::optional<double>& shownTime) {
  if (!view.object({"steps", "shown", "shownTime"})) return;
  view["shown"].read(shown, 0, kAnyInteger);
  view["shownTime"].read(shownTime);
  const View steps = view["steps"];
  if (!steps.present() || steps.isText("all")) return;
  if (steps.isNumber()) return readRange(steps, out.steps);
  if (!steps.isList() || steps.json().size() < 2 || steps.json().size() > 3)
    return steps.mustBe("\"all\", a step, [first, last] or [first, last, stride]");
  std::array<std::int64_t, 2> ends{};
  if (!steps.element(0).read(ends[0], -kAnyInteger, kAnyInteger)) return;
  if (!steps.element(1).read(ends[1], -kAnyInteger, kAnyInteger)) return;
  if (runsBackwards({ends[0], ends[1]})) return steps.wrong("the last is before the first");
  out.steps = {ends[0], ends[1]};
  if (steps.json().size() == 3) steps.element(2).read(out.stride, 1, kAnyInteger);
}

void readViews(const View& view, std::vector<NamedView>& out) {
  if (!view.present()) return;
  for (const View& element : view.elements()) {
    if (!element.object({"name", "camera", "aspect"})) continue;
    NamedView kept;
    element["name"].require("name the view");
    element["name"].read(kept.name);
    readCamera(element["camera"], kept.camera);
    element["aspect"].read(kept.aspect, {0.01, 100});
    out.push_back(std::move(kept));
  }
}

void readLayout(const View& view, ViewLayout& out) {
  if (!view.object({"views", "over", "divider", "before"})) return;
  ViewLayout layout;
  view["views"].require("list what each view shows");
  if (!view["views"].present()) return;
  for (const View& element : view["views"].elements()) {
    SideView& side = layout.views.emplace_back();
    if (!element.object({"camera", "data", "hidden"})) continue;
    if (const View camera = element["camera"]; camera.present()) {
      std::variant<AutoCamera, FixedCamera> any;
      readCamera(camera, any);
      if (const auto* const fixed = std::get_if<FixedCamera>(&any))
        side.camera = *fixed;
      else
        camera.mustBe("a camera with a position and a target");
    }
    element["data"].read(side.data);
    if (const View hidden = element["hidden"]; hidden.present())
      for (const View& name : hidden.elements()) name.read(side.hidden.emplace_back());
  }
  view["over"].read(layout.over);
  view["divider"].read(layout.divider, {0, 1});
  if (const View all = view["before"]; all.present())
    for (const View& element : all.elements()) {
      if (!element.object({"object", "color"})) continue;
      ColorsBefore& its = layout.before.emplace_back();
      element["object"].require("name the object");
      element["object"].read(its.object);
      readColoring(element["color"], its.color);
    }
  const std::size_t count = layout.views.size();
  if (count != 2 && count != 4)
    view["views"].wrong("lists " + std::to_string(count) + " views", "there are 2 or 4, or no layout");
  else if (layout.over && count != 2)
    view["over"].wrong("is for two views");
  else if (layout.views.front().camera)
    view["views"].element(0)["camera"].wrong("the first view has the camera of the session");
  else
    out = std::move(layout);
}

void readPlot(const View& view, std::optional<PlotChoice>& out) {
  if (!view.present() || !view.object({"kind", "data", "by", "on", "place", "over"})) return;
  PlotChoice plot;
  view["kind"].require("say what is plotted");
  if (const auto kind = view["kind"].choice(kPlotKindNames)) plot.kind = static_cast<PlotChoice::Kind>(*kind);
  view["data"].read(plot.data);
  view["by"].read(plot.by);
  view["on"].read(plot.on);
  if (plot.data == kAllData && plot.kind != PlotChoice::Kind::Line && plot.kind != PlotChoice::Kind::Time)
    view["data"].wrong("names all data, which are plotted along a line or over time", "name one data set");
  const bool isAlong = plot.kind == PlotChoice::Kind::Along;
  for (const char* const key : {"place", "over"})
    if (view[key].present() && isAlong == (key == std::string("place")))
      view[key].wrong(isAlong ? "is for plots over time" : "is for plots along the lines of an object");
  if (isAlong) {
    if (const auto over = view["over"].choice(kPlotOverNames))
      plot.over = static_cast<PlotChoice::Over>(*over);
  } else if (view["place"].isText(kAllPlacesName))
    plot.place = kAllPlaces;
  else
    view["place"].read(plot.place, 0, static_cast<std::int64_t>(Probe::kMostPoints) - 1);
  out = std::move(plot);
}

void readPlace(const View& view, std::array<double, 2>& out) {
  if (!view.present()) return;
  if (!view.isList() || view.json().size() != 2)
    return view.mustBe("[x, y], parts from 0 to 1 of the picture, from its upper left corner");
  std::array<double, 2> place{};
  if (view.element(0).read(place[0], {0, 1}) && view.element(1).read(place[1], {0, 1})) out = place;
}

void readLegendLook(const View& view, scene::LegendLook& out) {
  if (!view.object({"visible", "title", "place", "size", "digits", "labels"})) return;
  view["visible"].read(out.visible);
  view["title"].read(out.title);
  if (view["place"].present()) readPlace(view["place"], out.place.emplace());
  view["size"].read(out.size, {scene::kLeastLegendSize, scene::kMostLegendSize});
  std::int64_t number = 0;
  if (view["digits"].read(number, 1, scene::kMostLegendDigits)) out.digits = static_cast<int>(number);
  if (view["labels"].read(number, 2, scene::kMostLegendLabels)) out.labels = static_cast<int>(number);
}

void readNotes(const View& view, scene::Annotations& out) {
  view["scaleBar"].read(out.scaleBar);
  view["axes"].read(out.axes);
  view["orientation"].read(out.orientation);
  if (!view["texts"].present()) return;
  for (const View& element : view["texts"].elements()) {
    if (!element.object({"text", "place", "size"})) continue;
    scene::TextNote note;
    element["text"].require("write the text");
    element["text"].read(note.text);
    readPlace(element["place"], note.place);
    element["size"].read(note.size, {scene::kLeastLegendSize, scene::kMostLegendSize});
    out.texts.push_back(std::move(note));
  }
}

void readImage(const View& view, ImageSettings& out) {
  if (!view.object({"size", "background", "title", "legend", "legends", "texts", "scaleBar", "axes",
                    "orientation", "clip", "phase"}))
    return;
  std::array<std::int64_t, 2> size{out.sizePixels[0], out.sizePixels[1]};
  view["size"].readIntegers(size, 1, 16'384);
  out.sizePixels = {static_cast<int>(size[0]), static_cast<int>(size[1])};
  readColor(view["background"], out.background);
  view["title"].read(out.title);
  view["legend"].read(out.legend);
  if (const View legends = view["legends"]; legends.present()) {
    if (!legends.isObject()) return legends.mustBe("an object {…} of functions");
    for (const auto& [function, look] : legends.json().items())
      readLegendLook(legends[function], out.legends[function]);
  }
  readNotes(view, out.notes);
  detail::readClip(view["clip"], out.clip, scene::Clip::kMostPlanes);
  view["phase"].read(out.phase, {0, 1});
}

/// `written` as it stands, unless "..", taken as text, would not lead where it leads in `folder`.
void followLinks(const std::filesystem::path& folder, std::string& written) {
  if (written.empty() || isUrl(written) || written.find("..") == std::string::npos) return;
  const std::filesystem::path whole = folder / written, followed = followedPath(whole);
  if (whole.lexically_normal().lexically_relative(followed) != ".") written = followed.string();
}

/// Session::resolve() asks no system. What it would lead astray is named by where it lies, which is what saving makes of it anyway.
void followLinks(Session& session) {
  for (DataSource& source : session.data) {
    for (std::string& name : source.source) followLinks(session.baseFolder, name);
    const bool isRemote = !source.source.empty() && isUrl(source.source.front());
    for (std::string& name : source.solution)
      if (!isRemote) followLinks(session.baseFolder, name);
  }
  for (Object& object : session.objects) {
    if (auto* const volume = std::get_if<Volume>(&object.shape))
      followLinks(session.baseFolder, volume->transferFile);
    else if (auto* const slabs = std::get_if<Slabs>(&object.shape))
      followLinks(session.baseFolder, slabs->shown.transferFile);
  }
}

}  // namespace

Session detail::readDocument(const Json& document, Problems& problems) {
  Session session;
  const View root(&document, "", problems);
  if (!root.isObject()) throw Invalid("is not a session: the document must be an object {…}");
  root.object(
      {"farfield", "data", "objects", "time", "camera", "views", "layout", "plot", "image", "output"});
  std::int64_t version = 1;
  root["farfield"].require("write \"farfield\": 1");
  if (root["farfield"].read(version, 1, kAnyInteger) && version != 1)
    root["farfield"].wrong("version " + std::to_string(version) + " is not known",
                           "this program reads version 1");
  readData(root["data"], session);
  root["objects"].require("list what to show");
  detail::readObjects(root["objects"], problems, session);
  readTime(root["time"], session.time, session.shownStep, session.shownTime);
  readCamera(root["camera"], session.camera);
  readViews(root["views"], session.views);
  readLayout(root["layout"], session.layout);
  readPlot(root["plot"], session.plot);
  readImage(root["image"], session.image);
  if (const View output = root["output"]; output.object({"images", "geometry", "pieces"})) {
    output["images"].read(session.output.images);
    output["geometry"].read(session.output.geometry);
    output["pieces"].read(session.output.pieceTriangles, OutputSettings::kLeastPiece,
                          OutputSettings::kMostPiece);
  }
  return session;
}

Session parseSession(std::string_view text, const std::vector<Override>& overrides) {
  Json document = detail::parseDocument(text);
  for (const Override& change : overrides) detail::applyOverride(document, change);
  Problems problems;
  Session session = detail::readDocument(document, problems);
  problems.throwFirst();
  return session;
}

Session readSession(const std::filesystem::path& path, const std::vector<Override>& overrides) {
  const File file = File::openForReading(path);
  try {
    const std::uint64_t bytes = file.size();
    if (bytes > kMaxSessionBytes) {
      throw Invalid("larger than " + std::to_string(kMaxSessionBytes >> 20) + " MiB, which no session is",
                    "name a session file (JSON); data are named in it");
    }
    std::string text(bytes, '\0');
    file.readAt(0, std::as_writable_bytes(std::span(text)));
    Session session = parseSession(text, overrides);
    session.baseFolder = followedPath(std::filesystem::absolute(path).parent_path());
    followLinks(session);
    const std::filesystem::path stem = path.stem();
    session.name = (stem.extension() == ".farfield" ? stem.stem() : stem).string();
    return session;
  } catch (Error& error) {
    error.at("file " + path.string());
    throw;
  }
}

}  // namespace farfield::session
