#include "core/session/kinds/arrows/arrow_lines.h"

#include <array>
#include <cmath>
#include <vector>

#include "core/scene/camera.h"

namespace farfield::session {
namespace {

constexpr std::size_t kVerticesPerChunk = 65'536, kVerticesPerArrow = 5;
// of the head, as parts of the arrow's length
constexpr double kHeadLength = 0.3, kHalfWidth = 0.13;

/// A direction at a right angle to `way`.
Vec3 sidewaysOf(Vec3 way, Vec3 normal) {
  Vec3 side = cross(normal, way);
  if (!(length(side) > 1e-3 * length(way) * length(normal))) {
    int least = 0;
    for (int a = 1; a < 3; ++a)
      if (std::abs(way[a]) < std::abs(way[least])) least = a;
    Vec3 axis;
    axis[least] = 1;
    side = cross(axis, way);
  }
  return (1 / length(side)) * side;
}

class ArrowLines final : public scene::LineGeometry {
 public:
  ArrowLines(std::shared_ptr<const Polylines> places, const ArrowColumns& columns, const ArrowSizes& sizes)
      : m_places(std::move(places)), m_columns(columns), m_sizes(sizes) {}

  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    std::vector<double> points, scalars, normals;
    std::vector<std::uint32_t> lengths;
    const auto flush = [&] {
      if (!lengths.empty())
        draw({.points = points, .scalars = scalars, .lengths = lengths, .normals = normals});
      points.clear(), scalars.clear(), lengths.clear(), normals.clear();
    };
    const auto width = static_cast<std::size_t>(m_places->width());
    m_places->visitVertices([&](const PolylineSummary&, std::span<const double> run) {
      for (std::size_t at = 0; at < run.size(); at += width) {
        const double* const place = run.data() + at;
        const auto vectorAt = [&](int column) {
          return Vec3{place[column], place[column + 1], place[column + 2]};
        };
        const Vec3 stretch = m_sizes.stretch;
        const Vec3 foot = scene::stretched(vectorAt(0), stretch),
                   vector = scene::stretched(vectorAt(m_columns.vector), stretch);
        const double speed = length(vector);
        const double size = m_sizes.equal > 0 ? m_sizes.equal : m_sizes.perUnit * speed;
        if (!(speed > 0) || !std::isfinite(speed) || !(size > 0)) continue;
        const Vec3 way = (size / speed) * vector, tip = foot + way;
        const Vec3 facing = scene::unstretched(vectorAt(m_columns.normal), stretch);
        const Vec3 side = (kHalfWidth * size) * sidewaysOf(way, facing);
        const Vec3 neck = tip - kHeadLength * way;
        if (points.size() / 3 + kVerticesPerArrow > kVerticesPerChunk) flush();
        const Vec3 normal = vectorAt(m_columns.normal);
        for (const Vec3& seen : std::array{foot, tip, neck + side, tip, neck - side}) {
          const Vec3 vertex = scene::unstretched(seen, stretch);
          points.insert(points.end(), {vertex.x, vertex.y, vertex.z});
          normals.insert(normals.end(), {normal.x, normal.y, normal.z});
        }
        if (m_columns.color) scalars.insert(scalars.end(), kVerticesPerArrow, place[*m_columns.color]);
        lengths.insert(lengths.end(), {2, 3});
      }
    });
    flush();
  }

 private:
  std::shared_ptr<const Polylines> m_places;
  ArrowColumns m_columns;
  ArrowSizes m_sizes;
};

}  // namespace

std::shared_ptr<const scene::LineGeometry> arrowLines(std::shared_ptr<const Polylines> places,
                                                      const ArrowColumns& columns, const ArrowSizes& sizes) {
  return std::make_shared<ArrowLines>(std::move(places), columns, sizes);
}

}  // namespace farfield::session
