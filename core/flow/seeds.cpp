#include "core/flow/seeds.h"

#include <cassert>
#include <utility>

#include "core/base/error.h"

namespace farfield::flow {
namespace {

constexpr std::int64_t kMostSeeds = std::int64_t{1} << 40;

void checkCount(std::int64_t count, const char* key) {
  if (count < 1 || count > kMostSeeds) {
    throw Invalid(std::to_string(count) + " is not a number of seeds", "give a count from 1 to 2^40").at(key);
  }
}

/// Number of points; checks each count and their product.
std::size_t checkedTotal(const Index3& counts, const char* key) {
  std::int64_t total = 1;
  for (const std::int64_t count : counts) {
    checkCount(count, key);
    if (total > kMostSeeds / count) throw Invalid("too many seeds", "give smaller counts").at(key);
    total *= count;
  }
  return static_cast<std::size_t>(total);
}

void checkFinite(Vec3 point, const char* key) {
  if (!isFinite(point)) throw Invalid("a coordinate is not a finite number").at(key);
}

/// Number n of `count` numbers evenly from one to the other, both of which are met exactly, however far apart they are; a single one is
/// the first.
double between(double from, double to, std::int64_t n, std::int64_t count) {
  if (n == 0) return from;
  if (n == count - 1) return to;
  return from + static_cast<double>(n) / static_cast<double>(count - 1) * (to - from);
}

/// n/(count-1) of `axis`; zero for a single point.
Vec3 part(Vec3 axis, std::int64_t n, std::int64_t count) {
  return count > 1 ? (static_cast<double>(n) / static_cast<double>(count - 1)) * axis : Vec3{};
}

class PointSeeds final : public SeedSet {
 public:
  explicit PointSeeds(std::vector<Vec3> points) : m_points(std::move(points)) {}
  std::size_t count() const override { return m_points.size(); }
  Vec3 at(std::size_t n, const NodeCoordinates&) const override { return m_points[n]; }

 private:
  std::vector<Vec3> m_points;
};

class LineSeeds final : public SeedSet {
 public:
  LineSeeds(Vec3 from, Vec3 to, std::int64_t count)
      : m_from(from), m_to(to), m_total(checkedTotal({count, 1, 1}, "count")) {}
  std::size_t count() const override { return m_total; }
  Vec3 at(std::size_t n, const NodeCoordinates&) const override {
    assert(n < m_total);
    Vec3 point;
    for (int a = 0; a < 3; ++a)
      point[a] =
          between(m_from[a], m_to[a], static_cast<std::int64_t>(n), static_cast<std::int64_t>(m_total));
    return point;
  }

 private:
  Vec3 m_from, m_to;
  std::size_t m_total;
};

class BoxSeeds final : public SeedSet {
 public:
  BoxSeeds(Vec3 min, Vec3 max, const Index3& counts)
      : m_min(min), m_max(max), m_counts(counts), m_total(checkedTotal(counts, "counts")) {}
  std::size_t count() const override { return m_total; }
  Vec3 at(std::size_t n, const NodeCoordinates&) const override {
    assert(n < m_total);
    const Index3 index = unlinear(static_cast<std::int64_t>(n), m_counts);
    Vec3 point;
    for (std::size_t a = 0; a < 3; ++a) {
      const int axis = static_cast<int>(a);
      point[axis] = between(m_min[axis], m_max[axis], index[a], m_counts[a]);
    }
    return point;
  }

 private:
  Vec3 m_min, m_max;
  Index3 m_counts;
  std::size_t m_total;
};

/// A lattice along two axes.
class PlaneSeeds final : public SeedSet {
 public:
  PlaneSeeds(Vec3 origin, std::array<Vec3, 2> axes, std::array<std::int64_t, 2> counts)
      : m_origin(origin),
        m_axes(axes),
        m_counts{counts[0], counts[1], 1},
        m_total(checkedTotal(m_counts, "counts")) {}
  std::size_t count() const override { return m_total; }
  Vec3 at(std::size_t n, const NodeCoordinates&) const override {
    assert(n < m_total);
    const Index3 index = unlinear(static_cast<std::int64_t>(n), m_counts);
    Vec3 point = m_origin;
    for (std::size_t a = 0; a < 2; ++a) point = point + part(m_axes[a], index[a], m_counts[a]);
    return point;
  }

 private:
  Vec3 m_origin;
  std::array<Vec3, 2> m_axes;
  Index3 m_counts;
  std::size_t m_total;
};

class GridPointSeeds final : public SeedSet {
 public:
  GridPointSeeds(int block, const Index3& first, const Index3& counts, const Index3& stride)
      : m_block(block),
        m_first(first),
        m_counts(counts),
        m_stride(stride),
        m_total(checkedTotal(counts, "range")) {}
  std::size_t count() const override { return m_total; }
  Vec3 at(std::size_t n, const NodeCoordinates& nodeAt) const override {
    assert(n < m_total);
    Index3 node = unlinear(static_cast<std::int64_t>(n), m_counts);
    for (std::size_t a = 0; a < 3; ++a) node[a] = m_first[a] + m_stride[a] * node[a];
    return nodeAt(m_block, node);
  }

 private:
  int m_block;
  Index3 m_first, m_counts, m_stride;
  std::size_t m_total;
};

}  // namespace

std::unique_ptr<SeedSet> pointSeeds(std::vector<Vec3> points) {
  for (const Vec3& point : points) checkFinite(point, "points");
  return std::make_unique<PointSeeds>(std::move(points));
}

std::unique_ptr<SeedSet> lineSeeds(Vec3 from, Vec3 to, std::int64_t count) {
  checkFinite(from, "from");
  checkFinite(to, "to");
  return std::make_unique<LineSeeds>(from, to, count);
}

std::unique_ptr<SeedSet> planeSeeds(Vec3 origin, Vec3 axis1, Vec3 axis2, std::array<std::int64_t, 2> counts) {
  checkFinite(origin, "origin");
  checkFinite(axis1, "axis1");
  checkFinite(axis2, "axis2");
  return std::make_unique<PlaneSeeds>(origin, std::array<Vec3, 2>{axis1, axis2}, counts);
}

std::unique_ptr<SeedSet> boxSeeds(Vec3 min, Vec3 max, const Index3& counts) {
  checkFinite(min, "min");
  checkFinite(max, "max");
  return std::make_unique<BoxSeeds>(min, max, counts);
}

std::unique_ptr<SeedSet> gridPointSeeds(int block, const IndexBox& nodes, const Index3& stride) {
  Index3 counts;
  for (std::size_t a = 0; a < 3; ++a) {
    if (stride[a] < 1) throw Invalid("a stride is at least 1").at("stride");
    checkCount(nodes.size[a], "range");
    counts[a] = (nodes.size[a] - 1) / stride[a] + 1;
  }
  return std::make_unique<GridPointSeeds>(block, nodes.first, counts, stride);
}

}  // namespace farfield::flow
