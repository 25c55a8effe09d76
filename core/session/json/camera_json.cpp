#include "core/session/json/camera_json.h"

#include "core/base/error.h"
#include "core/session/json/read_values.h"
#include "core/session/json/write_values.h"
#include "core/session/session_camera.h"

namespace farfield::session {
namespace detail {

void readStretch(const View& view, Vec3& out) {
  Vec3 stretch = scene::kUnstretched;
  if (!view.read(stretch)) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double number = 1;
    if (!view.element(axis).read(number, {scene::kLeastStretch, scene::kMostStretch})) return;
  }
  out = stretch;
}

void readCamera(const View& view, std::variant<AutoCamera, FixedCamera>& out) {
  if (!view.present() || view.isText("auto")) return;
  if (!view.isObject()) return view.mustBe("\"auto\" or an object {…}");
  const bool turned = view["direction"].present() || (view["stretch"].present() && !view["target"].present());
  if (!view["position"].present() && turned) {
    if (!view.object({"direction", "up", "stretch"})) return;
    AutoCamera camera;
    readStretch(view["stretch"], camera.stretch);
    view["direction"].read(camera.direction);
    view["up"].read(camera.up);
    if (!(length(cross(camera.direction, camera.up)) > 0))
      view["up"].wrong("must not be along the line of sight");
    out = camera;
    return;
  }
  view.object({"position", "target", "up", "fieldOfView", "orthographic", "stretch"});
  FixedCamera camera;
  readRequired(view["position"], camera.position);
  readRequired(view["target"], camera.target);
  view["up"].read(camera.up);
  view["fieldOfView"].read(camera.fieldOfViewDegrees, {kLeastAngle, kMostAngle});
  view["orthographic"].read(camera.orthographicHeight, kPositive);
  readStretch(view["stretch"], camera.stretch);
  const bool placed = view["position"].present() && view["target"].present();
  if (placed && !(length(camera.target - camera.position) > 0))
    view["target"].wrong("is the position of the camera");
  else if (placed && !(length(cross(camera.target - camera.position, camera.up)) > 0))
    view["up"].wrong("must not be along the line of sight");
  out = camera;
}

Json jsonOf(const std::variant<AutoCamera, FixedCamera>& camera) {
  if (const auto* seeing = std::get_if<AutoCamera>(&camera)) {
    if (*seeing == AutoCamera{}) return "auto";
    Json out = {{"direction", jsonOf(seeing->direction)}, {"up", jsonOf(seeing->up)}};
    Keys(out).put("stretch", seeing->stretch, scene::kUnstretched);
    return out;
  }
  const auto& fixed = std::get<FixedCamera>(camera);
  Json out = {{"position", jsonOf(fixed.position)}, {"target", jsonOf(fixed.target)}};
  Keys keys(out);
  keys.put("up", fixed.up, FixedCamera{}.up);
  keys.put("fieldOfView", fixed.fieldOfViewDegrees, FixedCamera{}.fieldOfViewDegrees);
  keys.put("orthographic", fixed.orthographicHeight);
  keys.put("stretch", fixed.stretch, scene::kUnstretched);
  return out;
}

}  // namespace detail

std::string textOfCamera(const scene::Camera& camera) {
  return detail::jsonOf(std::variant<AutoCamera, FixedCamera>(fixedCamera(camera))).dump();
}

namespace {

/// A line of a session file, `"camera": {…},`, as a document; other texts as they are.
std::string asDocument(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n", kKey = "\"camera\"";
  const std::size_t begin = text.find_first_not_of(kSpace), end = text.find_last_not_of(kSpace);
  if (begin == text.npos || !text.substr(begin).starts_with(kKey)) return std::string(text);
  text = text.substr(begin, end + 1 - begin);
  if (text.ends_with(',')) text.remove_suffix(1);
  return '{' + std::string(text) + '}';
}

}  // namespace

std::optional<scene::Camera> cameraFromText(std::string_view text) {
  std::variant<AutoCamera, FixedCamera> camera;
  try {
    const detail::Json document = detail::parseDocument(asDocument(text));
    detail::Problems problems;
    const detail::View root(&document, "", problems);
    const detail::View part = root.isObject() && root["camera"].present() ? root["camera"] : root;
    detail::readCamera(part, camera);
    problems.throwFirst();
  } catch (const Error&) {
    return std::nullopt;
  }
  const auto* const fixed = std::get_if<FixedCamera>(&camera);
  return fixed ? std::optional(cameraOf(*fixed)) : std::nullopt;
}

}  // namespace farfield::session
