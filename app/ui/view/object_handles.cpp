#include "app/ui/view/object_handles.h"

#include <algorithm>
#include <cstdlib>

#include "app/model/document/line_shapes.h"
#include "app/model/document/plot_line.h"
#include "app/model/document/volume_looks.h"

namespace farfield::ui {
namespace {

constexpr const char* kClipPlane = "clip.plane";
constexpr char kPartEnd = '/';  // of the number with which handles begin of which an object has several

/// A face may have been drawn past the opposite one.
std::array<Vec3, 2> sortedCorners(Vec3 a, Vec3 b) {
  std::array<Vec3, 2> corners;
  for (int axis = 0; axis < 3; ++axis) {
    corners[0][axis] = std::min(a[axis], b[axis]);
    corners[1][axis] = std::max(a[axis], b[axis]);
  }
  return corners;
}

}  // namespace

std::optional<view::Handle> handleOf(const session::Object& object, const Bounds& data) {
  using namespace session;
  view::Handle handle;
  if (!object.visible) return std::nullopt;
  if (const auto* const slice = std::get_if<Slice>(&object.shape)) {
    if (slice->index) return std::nullopt;
    handle.id = "plane";
    handle.kind = view::HandleKind::Plane;
    const Vec3 origin = slice->origin.value_or(data.empty() ? Vec3{} : data.center());
    handle.positions = {view::gripOf(origin, slice->normal, data), slice->normal};
    handle.box = data;
    return handle;
  }
  if (const auto* const volume = app::volumeIn(object)) {
    if (!volume->look.clipBox) return std::nullopt;
    handle.id = "clip";
    handle.kind = view::HandleKind::Box;
    handle.positions = {(*volume->look.clipBox)[0], (*volume->look.clipBox)[1]};
    return handle;
  }
  const Seeds* const seeds = app::seedsIn(object);
  if (!seeds) return std::nullopt;
  handle.id = "seeds";
  handle.data = data;
  if (const auto* points = std::get_if<PointSeeds>(seeds)) {
    if (points->points.size() != 1) return std::nullopt;
    handle.kind = view::HandleKind::Point;
    handle.positions = points->points;
  } else if (const auto* line = std::get_if<LineSeeds>(seeds)) {
    handle.kind = view::HandleKind::Line;
    handle.positions = {line->from, line->to};
    handle.seeds = {line->count, 0, 0};
  } else if (const auto* plane = std::get_if<PlaneSeeds>(seeds)) {
    handle.kind = view::HandleKind::Patch;
    handle.positions = {plane->origin, plane->origin + plane->axis1, plane->origin + plane->axis2};
    handle.seeds = {plane->counts[0], plane->counts[1], 0};
  } else if (const auto* box = std::get_if<BoxSeeds>(seeds)) {
    handle.kind = view::HandleKind::Box;
    handle.positions = {box->min, box->max};
    handle.seeds = box->counts;
  } else {
    return std::nullopt;
  }
  return handle;
}

std::vector<view::Handle> handlesOf(const session::Object& object, const Bounds& data) {
  std::vector<view::Handle> handles;
  if (app::isPlotLine(object) && object.visible) {
    view::Handle handle;
    handle.id = "plot";
    handle.kind = view::HandleKind::Line;
    handle.positions = std::get<session::Probe>(object.shape).points;
    handle.data = data;
    handles.push_back(std::move(handle));
  } else if (const auto* const probe = std::get_if<session::Probe>(&object.shape); probe && object.visible) {
    for (std::size_t n = 0; n < probe->points.size(); ++n) {
      view::Handle handle;
      handle.id = std::to_string(n) + kPartEnd + "probe";
      handle.kind = view::HandleKind::Point;
      handle.positions = {probe->points[n]};
      handle.data = data;
      handles.push_back(std::move(handle));
    }
  } else if (auto handle = handleOf(object, data)) {
    handles.push_back(std::move(*handle));
  }
  return handles;
}

std::vector<view::Handle> handlesOf(const scene::Clip& clip, const Bounds& shown) {
  std::vector<view::Handle> handles;
  if (!clip.planes.empty()) {
    const scene::ClipPlane& plane = clip.planes.front();
    view::Handle handle;
    handle.id = kClipPlane;
    handle.kind = view::HandleKind::Plane;
    handle.positions = {view::gripOf(plane.origin, plane.normal, shown), plane.normal};
    handle.box = shown;
    handles.push_back(std::move(handle));
  }
  if (clip.box) {
    view::Handle handle;
    handle.id = "clip.box";
    handle.kind = view::HandleKind::Box;
    handle.positions = {(*clip.box)[0], (*clip.box)[1]};
    handles.push_back(std::move(handle));
  }
  return handles;
}

std::size_t placeNumberOf(const std::string& handle) {
  return std::strtoull(handle.c_str(), nullptr, 10);
}

session::Object withHandleAt(session::Object object, const std::vector<Vec3>& p, std::size_t number) {
  using namespace session;
  if (auto* const probe = std::get_if<Probe>(&object.shape); probe && p.size() == 1) {
    if (number < probe->points.size()) probe->points[number] = p[0];
    return object;
  }
  if (app::isPlotLine(object) && p.size() == 2) {
    app::putEnds(std::get<Probe>(object.shape), p[0], p[1]);
    return object;
  }
  if (auto* const slice = std::get_if<Slice>(&object.shape); slice && p.size() == 2) {
    slice->origin = p[0];
    // Of length 1, also where axes are stretched.
    slice->normal = length(p[1]) > 0 ? (1 / length(p[1])) * p[1] : p[1];
  }
  if (auto* const volume = app::volumeIn(object); volume && p.size() == 2) {
    const std::array<Vec3, 2> box = sortedCorners(p[0], p[1]);
    if (box[0].x < box[1].x && box[0].y < box[1].y && box[0].z < box[1].z) volume->look.clipBox = box;
  }
  Seeds* const seeds = app::seedsIn(object);
  if (!seeds) return object;
  if (auto* points = std::get_if<PointSeeds>(seeds); points && p.size() == 1) points->points = p;
  if (auto* line = std::get_if<LineSeeds>(seeds); line && p.size() == 2) line->from = p[0], line->to = p[1];
  if (auto* plane = std::get_if<PlaneSeeds>(seeds); plane && p.size() == 3) {
    plane->origin = p[0];
    plane->axis1 = p[1] - p[0];
    plane->axis2 = p[2] - p[0];
  }
  if (auto* box = std::get_if<BoxSeeds>(seeds); box && p.size() == 2) {
    box->min = sortedCorners(p[0], p[1])[0];
    box->max = sortedCorners(p[0], p[1])[1];
  }
  return object;
}

scene::Clip withHandleAt(scene::Clip clip, const std::string& handle, const std::vector<Vec3>& p) {
  if (p.size() != 2) return clip;
  if (handle.starts_with(kClipPlane) && !clip.planes.empty()) {
    clip.planes.front() = {p[0], p[1]};
  } else if (clip.box) {
    const auto box = sortedCorners(p[0], p[1]);
    if (box[0].x < box[1].x && box[0].y < box[1].y && box[0].z < box[1].z) clip.box = box;
  }
  return clip;
}

}  // namespace farfield::ui
