#include "render/view/handle_drag.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/view/screen_clip.h"

namespace farfield::view {
namespace {

constexpr double kNormalPixels = 70;  // length of a plane's normal on the screen
constexpr double kNoise = 1e-6;       // of the smallest distance visible on the screen
constexpr double kNormalStep = 1e-3;  // of its components: less than the tip moves within a pixel
constexpr double kTouch = 1e-5;       // of half the box: within it a plane lies in a face
constexpr double kLayer = 0.1;        // data are a layer if they are so much shorter along one axis
constexpr double kLeastSlope = 0.15;  // between the layer and the line of sight, about an angle

Vec3 unit(Vec3 v) {
  const double size = length(v);
  return size > 0 && std::isfinite(size) ? (1 / size) * v : Vec3{0, 0, 1};
}

// Two directions perpendicular to `normal` and to each other.
std::pair<Vec3, Vec3> sidesOf(Vec3 normal) {
  const Vec3 n = unit(normal);
  const Vec3 side = unit(cross(n, std::abs(n.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
  return {side, cross(n, side)};
}

Vec3 nearestAxis(Vec3 v) {
  int largest = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(v[axis]) > std::abs(v[largest])) largest = axis;
  Vec3 result;
  result[largest] = v[largest] < 0 ? -1 : 1;
  return result;
}

Vec3 boxCorner(const Handle& box, int corner) {
  const Vec3 low = box.positions[0], high = box.positions[1];
  return {corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z};
}

Vec3 middleOf(const Handle& handle) {
  const auto& p = handle.positions;
  if (handle.kind == HandleKind::Patch) return 0.5 * (p[1] + p[2]);
  return handle.kind == HandleKind::Point ? p[0] : 0.5 * (p[0] + p[1]);
}

// The box's extent along the unit vector `normal`, from its middle.
double reachOf(Vec3 normal, const Bounds& bounds) {
  const Vec3 half = 0.5 * (bounds.max - bounds.min);
  return std::abs(normal.x) * half.x + std::abs(normal.y) * half.y + std::abs(normal.z) * half.z;
}

// The corners of the plane's cut with the box, in order.
std::vector<Vec3> cutOf(Vec3 origin, Vec3 normal, const Bounds& bounds) {
  std::vector<Vec3> corners;
  const auto corner = [&](int number) {
    return Vec3{number & 1 ? bounds.max.x : bounds.min.x, number & 2 ? bounds.max.y : bounds.min.y,
                number & 4 ? bounds.max.z : bounds.min.z};
  };
  // Corners on the plane count by themselves: a plane in a face of the box cuts it in this face, whichever it is.
  const double touch = kTouch * reachOf(normal, bounds);
  std::array<double, 8> above{};
  for (int number = 0; number < 8; ++number) {
    double& its = above[std::size_t(number)];
    its = dot(corner(number) - origin, normal);
    if (std::abs(its) > touch) continue;
    its = 0;
    corners.push_back(corner(number));
  }
  for (int from = 0; from < 8; ++from)
    for (int axis = 1; axis <= 4; axis *= 2) {
      if (from & axis) continue;
      const double before = above[std::size_t(from)], behind = above[std::size_t(from | axis)];
      if (!(before * behind < 0)) continue;
      const Vec3 a = corner(from), b = corner(from | axis);
      corners.push_back(a + before / (before - behind) * (b - a));
    }
  if (corners.size() < 3) return {};
  Vec3 middle;
  for (const Vec3& p : corners) middle = middle + (1.0 / double(corners.size())) * p;
  const auto [u, v] = sidesOf(normal);
  const auto angle = [&, &u_ = u, &v_ = v](Vec3 p) {
    return std::atan2(dot(p - middle, v_), dot(p - middle, u_));
  };
  std::sort(corners.begin(), corners.end(), [&](Vec3 a, Vec3 b) { return angle(a) < angle(b); });
  return corners;
}

// A plane stays where it cuts the box, a little inside, so that it remains visible.
Vec3 keptInside(Vec3 origin, Vec3 normal, const Bounds& bounds) {
  if (bounds.empty()) return origin;
  const double from = dot(origin - bounds.center(), normal), most = 0.999 * reachOf(normal, bounds);
  return origin + (std::clamp(from, -most, most) - from) * normal;
}

// To a multiple of the power of ten just below `size`, so that it is short as a decimal number.
double rounded(double value, double size) {
  const double power = std::floor(std::log10(size));
  if (!(power > -300 && power < 300)) return value;
  const double one = std::pow(10, std::abs(power));
  const double result = power < 0 ? std::round(value * one) / one : std::round(value / one) * one;
  return std::isfinite(result) ? result + 0.0 : value;  // -0 looks like a mistake
}

/// The axis across a layer of data: much shorter than the others. None of other data.
std::optional<int> acrossLayer(const Bounds& data) {
  if (data.empty()) return std::nullopt;
  const Vec3 size = data.max - data.min;
  for (int axis = 0; axis < 3; ++axis)
    if (size[axis] < kLayer * std::min(size[(axis + 1) % 3], size[(axis + 2) % 3])) return axis;
  return std::nullopt;
}

/// The handle as it lies in the camera's space, where it is seen and dragged.
Handle stretched(Handle handle, Vec3 stretch) {
  if (stretch == scene::kUnstretched) return handle;
  for (std::size_t i = 0; i < handle.positions.size(); ++i) {
    Vec3& place = handle.positions[i];
    const bool normal = handle.kind == HandleKind::Plane && i == 1;
    place = normal ? scene::unstretched(place, stretch) : scene::stretched(place, stretch);
  }
  handle.box = scene::stretched(handle.box, stretch);
  handle.data = scene::stretched(handle.data, stretch);
  return handle;
}

double distance(ScreenPoint p, ScreenPoint a, ScreenPoint b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
  return std::hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

// What is seen of a handle that is stretched, in the camera's space.

std::vector<Knob> knobsIn(const Handle& handle, const ScreenMap& map) {
  const auto& p = handle.positions;
  std::vector<Knob> knobs;
  switch (handle.kind) {
    case HandleKind::Point:
      return {{0, p[0]}};
    case HandleKind::Plane:
      return {{0, p[0]}, {1, p[0] + kNormalPixels * map.pixelSize(p[0]) * unit(p[1])}};
    case HandleKind::Line:
    case HandleKind::Patch:
      for (std::size_t i = 0; i < p.size(); ++i) knobs.push_back({static_cast<int>(i), p[i]});
      break;
    case HandleKind::Box:
      for (int face = 0; face < 6; ++face) {
        Vec3 place = middleOf(handle);
        place[face / 2] = p[std::size_t(face % 2)][face / 2];
        knobs.push_back({face, place});
      }
      break;
  }
  knobs.push_back({kMiddle, middleOf(handle)});
  return knobs;
}

std::vector<Vec3> areaIn(const Handle& handle, const ScreenMap& map) {
  const auto& p = handle.positions;
  if (handle.kind == HandleKind::Patch) return {p[0], p[1], p[1] + p[2] - p[0], p[2]};
  if (handle.kind != HandleKind::Plane) return {};
  std::vector<Vec3> rim;
  if (!handle.box.empty()) rim = cutOf(p[0], unit(p[1]), handle.box);
  if (!rim.empty()) return rim;
  const auto [u, v] = sidesOf(p[1]);
  const double size = 0.6 * kNormalPixels * map.pixelSize(p[0]);
  return {p[0] + size * (u + v), p[0] + size * (v - u), p[0] - size * (u + v), p[0] + size * (u - v)};
}

}  // namespace

bool isUsable(const Handle& handle) {
  if (handle.positions.size() != positionCount(handle.kind)) return false;
  if (!std::all_of(handle.positions.begin(), handle.positions.end(), [](Vec3 p) { return isFinite(p); }))
    return false;
  return handle.kind != HandleKind::Plane || length(handle.positions[1]) > 0;
}

std::vector<Knob> knobsOf(const Handle& handle, const ScreenMap& map) {
  std::vector<Knob> knobs = knobsIn(stretched(handle, map.stretch()), map.ofStretched());
  for (Knob& knob : knobs) knob.place = scene::unstretched(knob.place, map.stretch());
  return knobs;
}

Vec3 gripOf(Vec3 origin, Vec3 normal, const Bounds& bounds) {
  if (bounds.empty() || bounds.contains(origin)) return origin;
  const std::vector<Vec3> rim = cutOf(origin, unit(normal), bounds);
  Vec3 middle;
  for (const Vec3& p : rim) middle = middle + (1.0 / double(rim.size())) * p;
  return rim.empty() ? origin : middle;
}

std::vector<Vec3> areaOf(const Handle& handle, const ScreenMap& map) {
  std::vector<Vec3> corners = areaIn(stretched(handle, map.stretch()), map.ofStretched());
  for (Vec3& corner : corners) corner = scene::unstretched(corner, map.stretch());
  return corners;
}

std::vector<Segment> outlineOf(const Handle& handle, const ScreenMap& map) {
  const auto& p = handle.positions;
  std::vector<Segment> lines;
  const std::vector<Vec3> rim = areaOf(handle, map);
  for (std::size_t i = 0; i < rim.size(); ++i) lines.emplace_back(rim[i], rim[(i + 1) % rim.size()]);
  switch (handle.kind) {
    case HandleKind::Point:
    case HandleKind::Patch:
      break;
    case HandleKind::Line:
      lines.emplace_back(p[0], p[1]);
      break;
    case HandleKind::Box:
      for (int from = 0; from < 8; ++from)
        for (int axis = 1; axis <= 4; axis *= 2)
          if (!(from & axis)) lines.emplace_back(boxCorner(handle, from), boxCorner(handle, from | axis));
      break;
    case HandleKind::Plane: {
      const auto knobs = knobsOf(handle, map);
      lines.emplace_back(knobs[0].place, knobs[1].place);
      break;
    }
  }
  return lines;
}

std::optional<HandleHit> hitHandle(std::span<const Handle> handles, const ScreenMap& map, ScreenPoint pixel,
                                   double reach) {
  std::optional<HandleHit> best;
  double nearest = reach;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    if (!isUsable(handles[i])) continue;
    for (const Knob& knob : knobsOf(handles[i], map)) {
      const auto at = map.project(knob.place);
      if (!at) continue;
      const double away = std::hypot(at->x - pixel.x, at->y - pixel.y);
      if (away > nearest) continue;
      nearest = away;
      best = HandleHit{i, knob.part};
    }
  }
  if (best) return best;
  nearest = reach / 2;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    if (!isUsable(handles[i])) continue;
    for (const auto& [from, to] : outlineOf(handles[i], map)) {
      const auto line = seenLine(map, from, to, reach);
      if (!line) continue;
      const double away = distance(pixel, line->first, line->second);
      if (away > nearest) continue;
      nearest = away;
      best = HandleHit{i, handles[i].kind == HandleKind::Plane ? 0 : kMiddle};
    }
  }
  return best;
}

HandleDrag::HandleDrag(Handle handle, int part, ScreenPoint start, const ScreenMap& map)
    : m_handle(std::move(handle)),
      m_seen(stretched(m_handle, map.stretch())),
      m_part(part),
      m_start(start),
      m_map(map.ofStretched()),
      m_stretch(map.stretch()),
      m_knob(middleOf(m_seen)) {
  for (const Knob& knob : knobsIn(m_seen, m_map))
    if (knob.part == part) m_knob = knob.place;
}

// What was dragged to `seen`, in data coordinates; what was not dragged keeps its numbers.
Handle HandleDrag::inData(const Handle& seen) const {
  if (m_stretch == scene::kUnstretched) return seen;
  Handle result = m_handle;
  for (std::size_t i = 0; i < seen.positions.size(); ++i) {
    const Vec3 place = seen.positions[i];
    if (place == m_seen.positions[i]) continue;
    const bool normal = seen.kind == HandleKind::Plane && i == 1;
    result.positions[i] =
        normal ? scene::stretched(unit(place), m_stretch) : scene::unstretched(place, m_stretch);
  }
  return result;
}

// The shift parallel to the screen, at the depth of the knob. In a layer of data it stays at the knob's height: parallel to the
// screen it would leave the data at once.
Vec3 HandleDrag::shift(ScreenPoint pixel, bool constrained) const {
  Vec3 by = m_map.place(pixel, m_knob) - m_map.place(m_start, m_knob);
  const std::optional<int> across = acrossLayer(m_seen.data);
  if (!constrained && across && m_knob[*across] >= m_seen.data.min[*across] &&
      m_knob[*across] <= m_seen.data.max[*across]) {
    const auto inLayer = [&](ScreenPoint at) -> std::optional<Vec3> {
      const Ray ray = m_map.ray(at);
      const double slope = ray.direction[*across] / length(ray.direction);
      const double t = (m_knob[*across] - ray.origin[*across]) / ray.direction[*across];
      if (!(std::abs(slope) > kLeastSlope && t > 0)) return std::nullopt;
      return ray.at(t);
    };
    const auto from = inLayer(m_start), to = inLayer(pixel);
    if (from && to) by = *to - *from;
    by[*across] = 0;
  }
  if (!constrained) return by;
  int largest = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(by[axis]) > std::abs(by[largest])) largest = axis;
  // Along an axis that is aslant to the screen the knob stays beside the cursor, too, which the part of `by` would not do.
  Vec3 along;
  along[largest] = 1;
  return shiftAlong(along, pixel) * along;
}

// The distance along `direction` (unit length) that keeps the knob as close to the cursor as possible.
double HandleDrag::shiftAlong(Vec3 direction, ScreenPoint pixel) const {
  // the direction on the screen, per data unit; a short piece, because of the perspective
  const double piece = 10 * m_map.pixelSize(m_knob);
  const auto from = m_map.project(m_knob), to = m_map.project(m_knob + piece * direction);
  const double movedX = pixel.x - m_start.x, movedY = pixel.y - m_start.y;
  if (from && to) {
    const double dx = to->x - from->x, dy = to->y - from->y, square = dx * dx + dy * dy;
    // seen nearly end-on (within 10 degrees), a small move of the cursor would be huge
    if (square > 3) return piece * (movedX * dx + movedY * dy) / square;
  }
  // then upwards on the screen means towards its far end
  const double sign = dot(direction, m_map.axes().back) > 0 ? -1 : 1;
  return -sign * movedY * m_map.pixelSize(m_knob);
}

Handle HandleDrag::moved(ScreenPoint pixel, bool constrained) const {
  const Handle seen = exactly(pixel, constrained);
  Handle result = inData(seen);
  if (!isUsable(seen) || !isUsable(result)) return m_handle;
  const Handle exact = result;
  const bool whole = m_part == kMiddle;
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      const bool normal = result.kind == HandleKind::Plane && i == 1;
      const double size =
          normal ? kNormalStep * m_stretch[axis] : 0.5 * m_map.pixelSize(seen.positions[i]) / m_stretch[axis];
      const double from = m_handle.positions[i][axis], to = exact.positions[i][axis];
      double& at = result.positions[i][axis];
      if (std::abs(to - from) <= kNoise * size)
        at = from;
      else if (whole && i > 0)  // moves with the first, so that lengths do not change
        at = rounded(from + (result.positions[0][axis] - m_handle.positions[0][axis]), kNoise * size);
      else
        at = rounded(to, size);
    }
  if (!isUsable(result)) return exact;
  // what was stopped at the box is not rounded out of it
  if (result.kind == HandleKind::Plane &&
      keptInside(result.positions[0], unit(result.positions[1]), result.box) != result.positions[0])
    result.positions[0] = exact.positions[0];
  return result;
}

Handle HandleDrag::exactly(ScreenPoint pixel, bool constrained) const {
  Handle result = m_seen;
  auto& p = result.positions;
  if (result.kind == HandleKind::Plane) {
    const Vec3 normal = unit(p[1]);
    if (m_part == 1) {
      // the tip follows the cursor, and stays on its side towards the eye or away from it
      const Vec3 tip = m_map.place(pixel, m_knob) - p[0];
      const Vec3 way = constrained ? nearestAxis(tip) : unit(tip);
      if (length(tip) > 0 && length(way - normal) > kNoise * kNormalStep) p[1] = way;
    } else if (constrained) {
      p[0] = p[0] + shift(pixel, false);
    } else {
      p[0] = keptInside(p[0] + shiftAlong(normal, pixel) * normal, normal, m_seen.box);
    }
  } else if (result.kind == HandleKind::Box && m_part != kMiddle) {
    const int axis = m_part / 2, side = m_part % 2;
    Vec3 direction;
    direction[axis] = 1;
    const double to = p[std::size_t(side)][axis] + shiftAlong(direction, pixel);
    // a face stops at the opposite one
    p[std::size_t(side)][axis] = side == 0 ? std::min(to, p[1][axis]) : std::max(to, p[0][axis]);
  } else if (m_part == kMiddle) {
    const Vec3 by = shift(pixel, constrained);
    for (Vec3& place : p) place = place + by;
  } else {
    const Vec3 by = shift(pixel, constrained);
    p[std::size_t(m_part)] = p[std::size_t(m_part)] + by;
  }
  return result;
}

Handle HandleDrag::movedTo(Vec3 inTheData) const {
  Vec3 place = scene::stretched(inTheData, m_stretch);
  // Where a ray meets a plane is next to it by rounding: 7.1e-15 is no place that anybody means.
  constexpr double kRounding = 1e-10;  // of a pixel
  const double pixel = m_map.pixelSize(place);
  for (int axis = 0; axis < 3; ++axis) {
    const double exact = place[axis] / m_stretch[axis], size = pixel / m_stretch[axis];
    const double plain = rounded(exact, kNoise * size);
    if (std::abs(plain - exact) <= kRounding * size) place[axis] = plain * m_stretch[axis];
  }
  Handle result = m_seen;
  auto& p = result.positions;
  if (result.kind == HandleKind::Plane && m_part == 1) {
    if (const Vec3 way = place - p[0]; length(way) > 0) p[1] = unit(way);
  } else if (result.kind == HandleKind::Box && m_part != kMiddle) {
    const int axis = m_part / 2, side = m_part % 2;
    double& face = p[std::size_t(side)][axis];
    face = side == 0 ? std::min(place[axis], p[1][axis]) : std::max(place[axis], p[0][axis]);
  } else if (m_part == kMiddle) {
    for (Vec3& each : p) each = each + (place - m_knob);
  } else {
    p[std::size_t(m_part)] = place;
  }
  return isUsable(result) ? inData(result) : m_handle;
}

std::vector<Vec3> seedsOf(const Handle& handle) {
  std::vector<Vec3> places;
  if (!isUsable(handle)) return places;
  const auto& p = handle.positions;
  // How far along each axis; of more than the eye tells apart every second one, or third.
  const auto fractions = [&](std::size_t axis, std::int64_t most) {
    const std::int64_t count = handle.seeds[axis];
    std::vector<double> all;
    for (std::int64_t n = 0; n < count; n += 1 + (count - 1) / most)
      all.push_back(count > 1 ? static_cast<double>(n) / static_cast<double>(count - 1) : 0);
    return all;
  };
  if (handle.kind == HandleKind::Line) {
    for (const double t : fractions(0, 256)) places.push_back(t < 1 ? p[0] + t * (p[1] - p[0]) : p[1]);
  } else if (handle.kind == HandleKind::Patch) {
    for (const double v : fractions(1, 48))
      for (const double u : fractions(0, 48)) places.push_back(p[0] + u * (p[1] - p[0]) + v * (p[2] - p[0]));
  } else if (handle.kind == HandleKind::Box) {
    const Vec3 size = p[1] - p[0];
    for (const double w : fractions(2, 16))
      for (const double v : fractions(1, 16))
        for (const double u : fractions(0, 16))
          places.push_back(p[0] + Vec3{u * size.x, v * size.y, w * size.z});
  }
  return places;
}

}  // namespace farfield::view
