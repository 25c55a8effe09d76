#include "core/session/kinds/volume/volume_shape.h"

#include "core/scene/opacity_presets.h"
#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"

namespace farfield::session {
namespace {

constexpr std::size_t kMostPoints = 4096, kMostPlanes = 64;
constexpr std::array kModes = {"composite", "maximum", "average", "isosurface"};

void readColors(const detail::View& view, Volume& out) {
  if (!view.present() || !view.object({"map", "range", "log"})) return;
  const detail::View map = view["map"];
  if (map.present()) {
    scene::MapChoice choice;
    detail::readMap(map, choice);
    out.map = choice;
  }
  bool logarithmic = false;
  if (view["log"].read(logarithmic)) out.logarithmic = logarithmic;
  const detail::View range = view["range"];
  if (!range.present() || range.isText("auto")) return;
  std::array<double, 2> ends{};
  if (!range.isList() || range.json().size() != 2) return range.mustBe("\"auto\" or [least, greatest]");
  if (!range.element(0).read(ends[0]) || !range.element(1).read(ends[1])) return;
  if (!(ends[0] < ends[1])) return range.wrong("must ascend");
  if (logarithmic && !(ends[0] > 0)) return range.wrong("must be above 0 where the scale is logarithmic");
  out.range = ends;
}

detail::Json jsonOf(const scene::MapChoice& map) {
  if (map.points.empty()) return map.name;
  detail::Json points = detail::Json::array();
  for (const scene::MapPoint& point : map.points)
    points.push_back({point.place, detail::jsonOf(scene::Rgba{static_cast<float>(point.color[0]) / 255,
                                                              static_cast<float>(point.color[1]) / 255,
                                                              static_cast<float>(point.color[2]) / 255, 1})});
  return {{"name", map.name}, {"points", std::move(points)}};
}

void readOpacity(const detail::View& view, std::optional<std::size_t>& preset,
                 std::vector<scene::OpacityPoint>& out) {
  if (!view.present() || view.isText("auto")) return;
  if (view.isText()) {
    if (const auto number = view.choice(scene::kOpacityPresets)) preset = static_cast<std::size_t>(*number);
    return;
  }
  if (!view.isList() || view.json().empty() || view.json().size() > kMostPoints)
    return view.mustBe("\"auto\", the name of a preset or a list of points [value, opacity]");
  std::vector<scene::OpacityPoint> points(view.json().size());
  for (std::size_t n = 0; n < points.size(); ++n) {
    const detail::View point = view.element(n);
    if (!point.isList() || point.json().size() != 2) return point.mustBe("[value, opacity]");
    if (!point.element(0).read(points[n].value)) return;
    if (!point.element(1).read(points[n].opacity, {0, 1})) return;
    if (n > 0 && points[n].value < points[n - 1].value) return point.wrong("values must ascend");
  }
  out = std::move(points);
}

void readTransfer(const detail::View& transfer, Volume& out) {
  if (!transfer.present() || !transfer.object({"color", "opacity", "preset", "unit", "file"})) return;
  readColors(transfer["color"], out);
  readOpacity(transfer["opacity"], out.preset, out.look.opacity);
  if (const detail::View madeFrom = transfer["preset"]; madeFrom.present()) {
    if (out.look.opacity.empty())
      return madeFrom.wrong("says of points which preset they were made from", "name the preset as opacity");
    if (const auto number = madeFrom.choice(scene::kOpacityPresets))
      out.preset = static_cast<std::size_t>(*number);
  }
  transfer["file"].read(out.transferFile);
  transfer["unit"].read(out.look.unitLength, detail::kPositive);
}

void writeTransfer(detail::Keys& out, const Volume& shape) {
  using detail::Json;
  const scene::VolumeLook& look = shape.look;
  Json transfer = Json::object();
  if (shape.map) transfer["color"]["map"] = jsonOf(*shape.map);
  if (shape.range) transfer["color"]["range"] = *shape.range;
  if (shape.logarithmic) transfer["color"]["log"] = *shape.logarithmic;
  for (const scene::OpacityPoint& point : look.opacity)
    transfer["opacity"].push_back(Json::array({point.value, point.opacity}));
  if (shape.preset)
    transfer[look.opacity.empty() ? "opacity" : "preset"] = scene::kOpacityPresets.at(*shape.preset);
  if (look.unitLength) transfer["unit"] = *look.unitLength;
  if (!shape.transferFile.empty()) transfer["file"] = shape.transferFile;
  if (!transfer.empty()) out.set("transfer", transfer);
}

}  // namespace

void Volume::forgetLooks() {
  map.reset();
  range.reset();
  logarithmic.reset();
  transferFile.clear();
  preset.reset();
  look = {};
  saysQuality = false;
}

void readKeys(const detail::View& view, Volume& out) {
  detail::checkKeys(view,
                    {"by", "transfer", "mode", "value", "lighting", "quality", "clip", "interpolation"});
  readVolume(view, out);
}

void readVolume(const detail::View& view, Volume& out) {
  if (!view["color"].isObject()) view["by"].require("name a function");
  detail::readFunction(view["by"], out.by);
  scene::VolumeLook& look = out.look;
  readTransfer(view["transfer"], out);
  if (const auto mode = view["mode"].choice(kModes)) look.mode = static_cast<scene::VolumeMode>(*mode);
  const detail::View value = view["value"];
  if (look.mode == scene::VolumeMode::Isosurface)
    value.require("say which value the surface has");
  else if (value.present())
    value.wrong("goes with \"mode\": \"isosurface\"", "leave it out, or set the mode");
  value.read(look.value);
  view["lighting"].read(look.lit);
  if (const detail::View quality = view["quality"];
      quality.present() && quality.object({"samplesPerVoxel", "pixelError"})) {
    const detail::View error = quality["pixelError"];
    if (error.present() && quality["samplesPerVoxel"].present())
      error.wrong("cannot be combined with samplesPerVoxel", "give one of the two");
    out.saysQuality = quality["samplesPerVoxel"].read(look.samplesPerVoxel, {1e-3, 64});
    if (error.read(look.pixelError, {0.01, 1e4})) out.saysQuality = true;
  }
  scene::Clip clip;
  detail::readClip(view["clip"], clip, kMostPlanes);
  look.clipBox = clip.box;
  look.clipPlanes = std::move(clip.planes);
  if (const auto kind = view["interpolation"].choice({"linear", "nearest"})) look.nearest = *kind == 1;
}

void writeKeys(detail::Keys& out, const Volume& shape) {
  writeVolume(out, shape);
}

void writeVolume(detail::Keys& out, const Volume& shape) {
  using detail::Json;
  const scene::VolumeLook& look = shape.look;
  const scene::VolumeLook usual;
  if (!shape.by.empty()) out.set("by", shape.by);
  writeTransfer(out, shape);
  out.put("mode", std::string(kModes[static_cast<std::size_t>(look.mode)]), std::string(kModes[0]));
  if (look.mode == scene::VolumeMode::Isosurface) out.set("value", look.value);
  out.put("lighting", look.lit, usual.lit);
  if (shape.saysQuality) {
    Json quality;
    if (look.pixelError)
      quality["pixelError"] = *look.pixelError;
    else
      quality["samplesPerVoxel"] = look.samplesPerVoxel;
    out.set("quality", quality);
  }
  if (const scene::Clip clip{look.clipBox, look.clipPlanes}; !clip.empty())
    out.set("clip", detail::jsonOf(clip));
  if (look.nearest) out.set("interpolation", "nearest");
}

}  // namespace farfield::session
