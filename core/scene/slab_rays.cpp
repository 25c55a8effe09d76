#include "core/scene/slab_rays.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/base/log.h"

namespace farfield::scene {
namespace {

/// A point of a slab on the screen: in pixels from the top left. The rest is divided by its depth in perspective, so that it is
/// linear there.
struct Corner {
  double x = 0, y = 0, inverse = 0, depth = 0, u = 0, v = 0;
};

/// What is nearer than this part of the greatest depth has no place on the screen.
constexpr double kNearest = 1e-6;

/// A corner of a triangle.
struct Node {
  Vec3 point;
  double depth = 0, u = 0, v = 0;
};

/// The part of a triangle that is not nearer than that: how many corners it has.
std::size_t inFront(const std::array<Node, 3>& nodes, double nearest, std::array<Node, 4>& seen) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < 3; ++n) {
    const Node &one = nodes[n], &next = nodes[(n + 1) % 3];
    if (one.depth >= nearest) seen[count++] = one;
    if ((one.depth >= nearest) == (next.depth >= nearest)) continue;
    // from the same end for both triangles of an edge: they meet
    const Node &near = one.depth < nearest ? one : next, &far = one.depth < nearest ? next : one;
    const double t = (nearest - near.depth) / (far.depth - near.depth);
    seen[count++] = {near.point + t * (far.point - near.point), nearest, near.u + t * (far.u - near.u),
                     near.v + t * (far.v - near.v)};
  }
  return count;
}

class Screen {
 public:
  explicit Screen(const VolumeCast& cast) : m_cast(cast), m_axes(axesOf(cast.camera)) {
    const Camera& camera = cast.camera;
    m_half = camera.orthographic ? 0.5 * camera.orthographicHeight
                                 : std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360);
  }
  double depthOf(Vec3 point) const { return dot(m_cast.camera.position - placeOf(point), m_axes.back); }
  /// Of one in front of the eye.
  Corner cornerOf(const Node& node) const {
    const Vec3 from = placeOf(node.point) - m_cast.camera.position;
    const double depth = node.depth, divisor = m_cast.camera.orthographic ? 1 : depth;
    const double scale = 0.5 * m_cast.height / (m_half * divisor);
    Corner corner;
    corner.x = 0.5 * m_cast.width + dot(from, m_axes.right) * scale;
    corner.y = 0.5 * m_cast.height - dot(from, m_axes.up) * scale;
    corner.inverse = 1 / divisor;
    corner.depth = depth / divisor;
    corner.u = node.u / divisor;
    corner.v = node.v / divisor;
    return corner;
  }
  /// Along the ray through the middle of a pixel, to the depth of a plane across the view.
  double distanceAt(int x, int y, double depth) const {
    if (m_cast.camera.orthographic) return depth;
    const double scale = m_half / m_cast.height;
    const double across = (2 * x + 1 - m_cast.width) * scale, down = (2 * y + 1 - m_cast.height) * scale;
    return depth * std::sqrt(1 + across * across + down * down);
  }

 private:
  Vec3 placeOf(Vec3 point) const { return stretched(point, m_cast.camera.stretch); }

  const VolumeCast& m_cast;
  CameraAxes m_axes;
  double m_half;
};

template <class Value>
std::array<float, 4> pixelOf(const SlabImage& image, double u, double v) {
  const double x = std::clamp(u * image.width - 0.5, 0.0, static_cast<double>(image.width - 1));
  const double y = std::clamp(v * image.height - 0.5, 0.0, static_cast<double>(image.height - 1));
  const auto left = static_cast<int>(x), top = static_cast<int>(y);
  const int right = std::min(left + 1, image.width - 1), bottom = std::min(top + 1, image.height - 1);
  const auto a = static_cast<float>(x - left), b = static_cast<float>(y - top);
  const auto at = [&](int column, int row) {
    std::array<Value, 4> values;
    const std::size_t place = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                              static_cast<std::size_t>(column);
    std::memcpy(values.data(), image.rgba.data() + sizeof(values) * place, sizeof(values));
    return values;
  };
  const std::array<Value, 4> one = at(left, top), two = at(right, top), three = at(left, bottom),
                             four = at(right, bottom);
  std::array<float, 4> pixel{};
  for (std::size_t c = 0; c < 4; ++c)
    pixel[c] = ((1 - b) * ((1 - a) * one[c] + a * two[c]) + b * ((1 - a) * three[c] + a * four[c])) /
               std::numeric_limits<Value>::max();
  return pixel;
}

/// Between the four nearest pixels of a picture; beyond its border as at it.
std::array<float, 4> pixelAt(const SlabImage& image, double u, double v) {
  return image.valueBytes == 2 ? pixelOf<std::uint16_t>(image, u, v) : pixelOf<std::uint8_t>(image, u, v);
}

/// Exactly the opposite from b to a: no pixel between two triangles is outside of both.
double edgeOf(const Corner& a, const Corner& b, double x, double y) {
  if (std::pair(b.x, b.y) < std::pair(a.x, a.y)) return -edgeOf(b, a, x, y);
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

void drawTriangle(const SlabImage& image, const std::array<Corner, 3>& corners, const Screen& screen,
                  const VolumeCast& cast, std::vector<bool>& drawn, std::span<float> rgba) {
  const double area = edgeOf(corners[0], corners[1], corners[2].x, corners[2].y);
  if (area == 0 || !std::isfinite(area)) return;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (const Corner& corner : corners) {
    low[0] = std::min(low[0], corner.x), high[0] = std::max(high[0], corner.x);
    low[1] = std::min(low[1], corner.y), high[1] = std::max(high[1], corner.y);
  }
  const auto cut = [](double value, int least, int most) {
    return static_cast<int>(std::clamp<double>(value, least, most));
  };
  const int x0 = cut(std::floor(low[0]), 0, cast.width), x1 = cut(std::ceil(high[0]), 0, cast.width);
  const int y0 = cut(std::floor(low[1]), cast.firstRow, cast.firstRow + cast.rows),
            y1 = cut(std::ceil(high[1]), cast.firstRow, cast.firstRow + cast.rows);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double w0 = edgeOf(corners[1], corners[2], px, py) / area,
                   w1 = edgeOf(corners[2], corners[0], px, py) / area,
                   w2 = edgeOf(corners[0], corners[1], px, py) / area;
      if (w0 < 0 || w1 < 0 || w2 < 0) continue;
      const auto at = static_cast<std::size_t>(y - cast.firstRow) * static_cast<std::size_t>(cast.width) +
                      static_cast<std::size_t>(x);
      // a pixel on the edge of two triangles is one's
      if (drawn[at]) continue;
      const double inverse = w0 * corners[0].inverse + w1 * corners[1].inverse + w2 * corners[2].inverse;
      const double u = (w0 * corners[0].u + w1 * corners[1].u + w2 * corners[2].u) / inverse,
                   v = (w0 * corners[0].v + w1 * corners[1].v + w2 * corners[2].v) / inverse;
      if (!cast.from.empty() || !cast.to.empty()) {
        const double depth =
            (w0 * corners[0].depth + w1 * corners[1].depth + w2 * corners[2].depth) / inverse;
        const double distance = screen.distanceAt(x, y, depth);
        if (!cast.from.empty() && distance < static_cast<double>(cast.from[at])) continue;
        if (!cast.to.empty() && distance >= static_cast<double>(cast.to[at])) continue;
      }
      drawn[at] = true;
      const std::array<float, 4> front = pixelAt(image, u, v);
      for (std::size_t c = 0; c < 4; ++c) rgba[4 * at + c] = front[c] + (1 - front[3]) * rgba[4 * at + c];
    }
}

}  // namespace

void drawSlabs(const SlabSet& set, const VolumeCast& cast, std::span<float> rgba) {
  std::fill(rgba.begin(), rgba.end(), 0.0f);
  const Screen screen(cast);
  std::vector<std::pair<double, const Slab*>> slabs;
  double farthest = 0;
  for (const Slab& slab : set.slabs) {
    double sum = 0;
    for (const Vec3& point : slab.points) {
      const double depth = screen.depthOf(point);
      sum += depth;
      farthest = std::max(farthest, depth);
    }
    slabs.emplace_back(sum / static_cast<double>(std::max<std::size_t>(slab.points.size(), 1)), &slab);
  }
  std::sort(slabs.begin(), slabs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const double nearest = cast.camera.orthographic
                             ? -INFINITY
                             : std::max(kNearest * farthest, std::numeric_limits<double>::min());
  std::vector<bool> drawn(static_cast<std::size_t>(cast.width) * static_cast<std::size_t>(cast.rows));
  for (const auto& [depth, slab] : slabs) {
    if (cast.stop.stop_requested()) throw Cancelled();
    std::fill(drawn.begin(), drawn.end(), false);
    for (const auto& triangle : slab->triangles) {
      std::array<Node, 3> nodes;
      for (std::size_t n = 0; n < 3; ++n) {
        const Vec3& point = slab->points[triangle[n]];
        const std::array<float, 2>& place = slab->places[triangle[n]];
        nodes[n] = {point, screen.depthOf(point), place[0], place[1]};
      }
      std::array<Node, 4> seen;
      const std::size_t count = inFront(nodes, nearest, seen);
      for (std::size_t n = 2; n < count; ++n)
        drawTriangle(*slab->image,
                     {screen.cornerOf(seen[0]), screen.cornerOf(seen[n - 1]), screen.cornerOf(seen[n])},
                     screen, cast, drawn, rgba);
    }
  }
}

bool StillSlabs::cast(const VolumeCast& cast, std::span<float> rgba) const {
  drawSlabs(*m_set, cast, rgba);
  if (!m_beside) return true;
  std::vector<float> other(rgba.size());
  drawSlabs(*m_beside, cast, other);
  const auto share = static_cast<float>(m_weight);
  for (std::size_t n = 0; n < other.size(); ++n) rgba[n] += share * (other[n] - rgba[n]);
  return true;
}

BesideWeight besideWeight(const Bounds& data, const Camera& camera) {
  constexpr double kFrom = 40, kTo = 45;
  const Bounds bounds = stretched(data, camera.stretch);
  const Vec3 to =
      camera.orthographic ? axesOf(camera).back : camera.position - 0.5 * (bounds.min + bounds.max);
  int first = 0;
  for (int a = 1; a < 3; ++a)
    if (std::abs(to[a]) > std::abs(to[first])) first = a;
  BesideWeight beside{first == 0 ? 1 : 0, 0};
  for (int a = 0; a < 3; ++a)
    if (a != first && std::abs(to[a]) > std::abs(to[beside.axis])) beside.axis = a;
  const double degrees = std::atan2(std::abs(to[beside.axis]), std::abs(to[first])) * 180 / std::numbers::pi;
  const double place = std::clamp((degrees - kFrom) / (kTo - kFrom), 0.0, 1.0);
  beside.weight = 0.5 * place;
  return beside;
}

SlabRays::SlabRays(std::shared_ptr<const WatchedSlabs> slabs, std::shared_ptr<const VolumeGeometry> whole,
                   bool framesAtRest)
    : m_slabs(std::move(slabs)), m_whole(std::move(whole)), m_framesAtRest(framesAtRest) {}

SlabRays::~SlabRays() {
  stopAsking();
}

SlabsShown SlabRays::shown() const {
  const std::lock_guard lock(m_mutex);
  return m_shown;
}

bool SlabRays::cast(const VolumeCast& cast, std::span<float> rgba) const {
  const SlabAim aim{cast.look, cast.scale, cast.camera, cast.width, cast.height};
  SlabsInView slabs = m_slabs->inView(aim);
  if (!cast.whole && slabs.best.set) {
    askAhead(cast);
  } else {
    const bool isFrame = cast.whole && (m_framesAtRest || !areLayers(cast.look.mode));
    try {
      if (isFrame) {
        stopAsking();  // it is in the way of the frame
        m_whole->cast(cast, rgba);
      } else {
        slabs = m_slabs->await(aim, cast.whole, cast.stop);
      }
      m_isGone = false;
      if (isFrame) {
        note(cast, nullptr);
        askAhead(cast);  // for when it moves again
        return true;
      }
    } catch (const Io& error) {
      slabs = m_slabs->inView(aim);
      if (!slabs.best.set) throw;
      sayGone(error);
    }
  }
  draw(cast, slabs, rgba);
  return cast.whole && !m_isGone;
}

void SlabRays::sayGone(const Io& why) const {
  {
    const std::lock_guard lock(m_mutex);
    m_whyGone = why.what();
  }
  if (!m_isGone.exchange(true))
    log::warning(std::string(why.what()) + "; until it is back, what has come before is shown");
}

void SlabRays::draw(const VolumeCast& cast, const SlabsInView& slabs, std::span<float> rgba) const {
  const double weight = besideWeight(bounds(), cast.camera).weight;
  StillSlabs(slabs.best.set, slabs.beside.set, weight, bounds()).cast(cast, rgba);
  note(cast, &slabs);
}

/// `slabs`: what was drawn; null: a frame.
void SlabRays::note(const VolumeCast& cast, const SlabsInView* slabs) const {
  const WatchedSlabs::State state = m_slabs->state();
  SlabsShown shown;
  shown.ranks = state.ranks;
  shown.isFrame = !slabs;
  if (slabs && slabs->best.axis >= 0) {
    const int axis = slabs->best.axis;
    const Camera& camera = cast.camera;
    const Bounds box = stretched(bounds(), camera.stretch);
    const Vec3 middle = 0.5 * (box.min + box.max), back = axesOf(camera).back;
    const Vec3 to = camera.orthographic ? back : camera.position - middle;
    const auto nameOf = [](const SlabsInView::Along& along) {
      return std::string(along.fromAbove ? "+" : "-") + "xyz"[along.axis];
    };
    shown.axes = nameOf(slabs->best);
    if (slabs->beside.set) shown.axes += ", " + nameOf(slabs->beside);
    shown.missing = state.missing;
    const double cosine = std::clamp(std::abs(to[axis]) / length(to), 0.0, 1.0);
    shown.degrees = std::acos(cosine) * 180 / std::numbers::pi;
    const double thick = (box.max[axis] - box.min[axis]) /
                         static_cast<double>(std::max<std::size_t>(slabs->best.set->slabs.size(), 1));
    const double across = camera.orthographic
                              ? camera.orthographicHeight
                              : 2 * std::max(dot(camera.position - middle, back), 0.0) *
                                    std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360);
    if (across > 0) shown.pixels = 0.5 * thick * std::sqrt(1 - cosine * cosine) * cast.height / across;
  }
  const std::lock_guard lock(m_mutex);
  if (m_isGone)
    shown.gone = m_whyGone;
  else if (state.ranks == 0)
    shown.gone = "the renderer does not answer";
  m_shown = std::move(shown);
}

void SlabRays::askAhead(const VolumeCast& cast) const {
  const std::lock_guard lock(m_mutex);
  if (m_asking.valid() && m_asking.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  m_stopAsking = {};
  m_asking = std::async(std::launch::async,
                        [slabs = m_slabs, look = cast.look, scale = cast.scale, camera = cast.camera,
                         width = cast.width, height = cast.height, stop = m_stopAsking.get_token()] {
                          try {
                            (void)slabs->await({look, scale, camera, width, height}, true, stop);
                          } catch (const std::exception&) {
                            // whoever waits for the picture is told
                          }
                        });
}

void SlabRays::stopAsking() const {
  const std::lock_guard lock(m_mutex);
  m_stopAsking.request_stop();
}

}  // namespace farfield::scene
