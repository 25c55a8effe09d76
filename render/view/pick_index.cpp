#include "render/view/pick_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace farfield::view {
namespace {

constexpr std::size_t kGroup = 384;  // indices; a multiple of 3
constexpr std::size_t kCrowd = 32;   // groups

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Vec3 asVec(const std::array<float, 3>& p) {
  return {p[0], p[1], p[2]};
}

}  // namespace

// One search, with the best result so far.
struct PickIndex::Finder {
  const ScreenMap& map;
  const LocalFrame& frame;
  ScreenPoint pixel;
  double reach;
  Ray ray;    // through the pixel, in data coordinates
  Vec3 from;  // its origin in local coordinates; the direction is the same
  const std::vector<scene::ClipPlane>* cut = nullptr;
  std::optional<PickHit> best;

  Finder(const ScreenMap& m, const LocalFrame& f, ScreenPoint p, double r)
      : map(m), frame(f), pixel(p), reach(r), ray(m.ray(p)), from(f.factor * (ray.origin - f.center)) {}

  void offer(Vec3 place, double depth) {
    if (depth > 0 && (!best || depth < best->depth) && keeps(*cut, place)) best = PickHit{place, depth};
  }

  bool mayHitLines(const Box& box) const {
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (int corner = 0; corner < 8; ++corner) {
      const auto at =
          map.project(frame.global({(corner & 1 ? box.max : box.min)[0], (corner & 2 ? box.max : box.min)[1],
                                    (corner & 4 ? box.max : box.min)[2]}));
      if (!at) return true;  // extends behind the eye: its position on the screen means nothing
      left = std::min(left, at->x), right = std::max(right, at->x);
      top = std::min(top, at->y), bottom = std::max(bottom, at->y);
    }
    return pixel.x >= left - reach && pixel.x <= right + reach && pixel.y >= top - reach &&
           pixel.y <= bottom + reach;
  }

  bool mayHitTriangles(const Box& box) const {
    double first = 0, last = INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
      const double origin = from[axis], direction = ray.direction[axis];
      const double low = box.min[std::size_t(axis)], high = box.max[std::size_t(axis)];
      // flat boxes are common; rounding must not let a ray miss them
      const double slack = 1e-6 * (std::abs(low) + std::abs(high) + std::abs(origin));
      if (std::abs(direction) < 1e-300) {
        if (origin < low - slack || origin > high + slack) return false;
        continue;
      }
      const double a = (low - slack - origin) / direction, b = (high + slack - origin) / direction;
      first = std::max(first, std::min(a, b));
      last = std::min(last, std::max(a, b));
    }
    return first <= last;
  }
};

PickIndex::PickIndex(Kind kind, std::span<const Vertex> vertices, std::span<const std::uint32_t> indices,
                     const LocalFrame& frame, std::shared_ptr<const void> owner)
    : m_kind(kind), m_vertices(vertices), m_indices(indices), m_frame(frame), m_owner(std::move(owner)) {
  for (std::size_t begin = 0; begin < indices.size(); begin += kGroup) {
    // a segment between the last index of a group and the first of the next belongs to the former
    const std::size_t end = std::min(begin + kGroup + (kind == Kind::Lines ? 1 : 0), indices.size());
    m_groups.push_back(boxOf(begin, end));
    const Box& box = m_groups.back();
    if (!(box.min[0] <= box.max[0])) continue;
    m_bounds.add(m_frame.global(box.min));
    m_bounds.add(m_frame.global(box.max));
  }
  for (std::size_t begin = 0; begin < m_groups.size(); begin += kCrowd) {
    Box crowd = m_groups[begin];
    for (std::size_t i = begin; i < std::min(begin + kCrowd, m_groups.size()); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        crowd.min[axis] = std::min(crowd.min[axis], m_groups[i].min[axis]);
        crowd.max[axis] = std::max(crowd.max[axis], m_groups[i].max[axis]);
      }
    m_crowds.push_back(crowd);
  }
}

PickIndex::Box PickIndex::boxOf(std::size_t begin, std::size_t end) const {
  Box box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (std::size_t i = begin; i < end; ++i) {
    if (m_indices[i] == kRestart) continue;
    const auto& p = m_vertices[m_indices[i]].position;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.min[axis] = std::min(box.min[axis], p[axis]);
      box.max[axis] = std::max(box.max[axis], p[axis]);
    }
  }
  return box;
}

std::size_t PickIndex::bytes() const {
  return (m_groups.capacity() + m_crowds.capacity()) * sizeof(Box);
}

std::optional<PickHit> PickIndex::pick(const ScreenMap& map, ScreenPoint pixel, double reach,
                                       const std::vector<scene::ClipPlane>& cut) const {
  Finder finder(map, m_frame, pixel, reach);
  finder.cut = &cut;
  search(finder);
  return finder.best;
}

void PickIndex::search(Finder& finder) const {
  const bool lines = m_kind == Kind::Lines;
  const auto mayHit = [&](const Box& box) {
    if (!(box.min[0] <= box.max[0])) return false;
    return lines ? finder.mayHitLines(box) : finder.mayHitTriangles(box);
  };
  for (std::size_t crowd = 0; crowd < m_crowds.size(); ++crowd) {
    if (!mayHit(m_crowds[crowd])) continue;
    for (std::size_t i = crowd * kCrowd; i < std::min((crowd + 1) * kCrowd, m_groups.size()); ++i) {
      if (!mayHit(m_groups[i])) continue;
      const std::size_t begin = i * kGroup, end = std::min(begin + kGroup, m_indices.size());
      lines ? pickSegments(finder, begin, end) : pickTriangles(finder, begin, end);
    }
  }
}

void PickIndex::pickSegments(Finder& finder, std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end && i + 1 < m_indices.size(); ++i) {
    if (m_indices[i] == kRestart || m_indices[i + 1] == kRestart) continue;
    const Vec3 a = m_frame.global(m_vertices[m_indices[i]].position);
    const Vec3 b = m_frame.global(m_vertices[m_indices[i + 1]].position);
    const auto from = finder.map.project(a), to = finder.map.project(b);
    if (!from || !to) continue;
    const double dx = to->x - from->x, dy = to->y - from->y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((finder.pixel.x - from->x) * dx + (finder.pixel.y - from->y) * dy) / square : 0;
    t = std::clamp(t, 0.0, 1.0);
    if (std::hypot(from->x + t * dx - finder.pixel.x, from->y + t * dy - finder.pixel.y) > finder.reach)
      continue;
    // from the fraction on the screen to that in space; they differ only in perspective
    const double near = finder.map.depth(a), far = finder.map.depth(b);
    if (!finder.map.isOrthographic()) t = t * near / (far + t * (near - far));
    const Vec3 place = a + t * (b - a);
    finder.offer(place, finder.map.depth(place));
  }
}

// T. Möller, B. Trumbore: Fast, Minimum Storage Ray-Triangle Intersection, J. Graphics Tools 2(1), 1997.
void PickIndex::pickTriangles(Finder& finder, std::size_t begin, std::size_t end) const {
  const Vec3 direction = finder.ray.direction;
  for (std::size_t i = begin; i + 2 < end; i += 3) {
    const Vec3 a = asVec(m_vertices[m_indices[i]].position);
    const Vec3 side1 = asVec(m_vertices[m_indices[i + 1]].position) - a;
    const Vec3 side2 = asVec(m_vertices[m_indices[i + 2]].position) - a;
    const Vec3 p = cross(direction, side2);
    const double determinant = dot(side1, p);
    if (determinant == 0) continue;
    const Vec3 way = finder.from - a;
    const double u = dot(way, p) / determinant;
    if (!(u >= 0 && u <= 1)) continue;
    const Vec3 q = cross(way, side1);
    const double v = dot(direction, q) / determinant;
    if (!(v >= 0 && u + v <= 1)) continue;
    const double t = dot(side2, q) / determinant;
    if (!(t > 0)) continue;
    const Vec3 place = finder.ray.at(t / m_frame.factor);
    finder.offer(place, finder.map.depth(place));
  }
}

}  // namespace farfield::view
