// Places at even distances: every line of the lattice passes through a surface once, however it is cut into triangles and
// patches, and values are those of the triangle there.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/extract/even_places.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

struct Found final : PlaceSink {
  void place(Vec3 point, Vec3 normal, std::span<const double> values) override {
    points.push_back(point);
    normals.push_back(normal);
    first.push_back(values[0]);
  }
  std::vector<Vec3> points, normals;
  std::vector<double> first;
};

/// A sheet over [0, 4] x [0, 3] of cells x cells squares, each cut along one of its diagonals; its height is `height`.
struct Sheet {
  Sheet(int cells, const std::function<Vec3(double, double)>& shape) {
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        const Vec3 p = shape(4.0 * i / cells, 3.0 * j / cells);
        points.insert(points.end(), {p.x, p.y, p.z});
        normals.insert(normals.end(), {0, 0, 1});
        values.push_back(2 * p.x - p.y + 3 * p.z);
      }
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const auto a = static_cast<std::uint32_t>(j * (cells + 1) + i), b = a + 1,
                   d = a + static_cast<std::uint32_t>(cells + 1), c = d + 1;
        if ((i + j) % 2 == 0)
          triangles.insert(triangles.end(), {a, b, c, a, c, d});
        else
          triangles.insert(triangles.end(), {a, b, d, b, c, d});
      }
  }
  Found find(double spacing, const std::optional<Vec3>& normal = {}, bool turned = false) const {
    EvenPlaces places(spacing, 1, normal);
    Found found;
    std::vector<std::uint32_t> order = triangles;
    if (turned)
      for (std::size_t t = 0; t < order.size(); t += 3) std::swap(order[t], order[t + 1]);
    places.find({points, normals, values, order}, found);
    return found;
  }
  std::vector<double> points, normals, values;
  std::vector<std::uint32_t> triangles;
};

Vec3 flatShape(double x, double y) {
  return {x, y, 0.5};
}

}  // namespace

class TestEvenPlaces : public QObject {
  Q_OBJECT
 private slots:
  void aLineOfTheLatticePassesOnce();
  void trianglesDoNotMatter();
  void planesAslant();
  void slopesHaveTheirOwnLattice();
};

/// Also where nodes and edges lie on lines of the lattice: of those on the border one side counts.
void TestEvenPlaces::aLineOfTheLatticePassesOnce() {
  for (const int cells : {1, 3, 4, 8, 12, 13}) {
    const Found found = Sheet(cells, flatShape).find(0.25);
    QCOMPARE(found.points.size(), 16u * 12u);
    std::set<std::pair<long, long>> seen;
    for (std::size_t n = 0; n < found.points.size(); ++n) {
      const Vec3 p = found.points[n];
      QVERIFY(std::abs(p.x * 4 - std::round(p.x * 4)) < 1e-12 &&
              std::abs(p.y * 4 - std::round(p.y * 4)) < 1e-12);
      QVERIFY(seen.insert({std::lround(4 * p.x), std::lround(4 * p.y)}).second);
      QVERIFY(std::abs(found.first[n] - (2 * p.x - p.y + 3 * p.z)) < 1e-12);
      QVERIFY(found.normals[n] == (Vec3{0, 0, 1}));
    }
  }
}

void TestEvenPlaces::trianglesDoNotMatter() {
  const auto shaken = [](double x, double y) {
    return Vec3{x + 0.03 * std::sin(9 * x * y), y + 0.03 * std::cos(7 * x), 0.5};
  };
  for (const bool turned : {false, true}) {
    Found fine = Sheet(31, shaken).find(0.17, {}, turned);
    std::set<std::pair<long, long>> seen;
    for (const Vec3& p : fine.points)
      QVERIFY(seen.insert({std::lround(p.x / 0.17), std::lround(p.y / 0.17)}).second);
    // all that lie well inside
    for (int i = 1; i * 0.17 < 3.9; ++i)
      for (int j = 1; j * 0.17 < 2.9; ++j) QVERIFY(seen.count({i, j}) == 1);
  }
}

void TestEvenPlaces::planesAslant() {
  const Vec3 normal = (1 / std::sqrt(3.0)) * Vec3{1, 1, 1};
  const auto shape = [](double x, double y) {
    const Vec3 u = (1 / std::sqrt(2.0)) * Vec3{1, -1, 0}, v = (1 / std::sqrt(6.0)) * Vec3{1, 1, -2};
    return x * u + y * v;
  };
  const Found found = Sheet(9, shape).find(0.2, normal);
  // an area of 12 at one place for each 0.04
  QVERIFY(std::abs(static_cast<double>(found.points.size()) - 300) < 20);
  for (std::size_t n = 0; n < found.points.size(); ++n)
    for (std::size_t m = 0; m < n; ++m) QVERIFY(length(found.points[n] - found.points[m]) > 0.2 - 1e-12);
}

void TestEvenPlaces::slopesHaveTheirOwnLattice() {
  // a steep wall: seen from above there would be no room on it
  const Found wall = Sheet(10, [](double x, double y) { return Vec3{0.05 * x, y, x}; }).find(0.5);
  QCOMPARE(wall.points.size(), 8u * 6u);
  for (const Vec3& p : wall.points) QVERIFY(std::abs(p.x - 0.05 * p.z) < 1e-12);
}

QTEST_APPLESS_MAIN(TestEvenPlaces)
#include "tst_even_places.moc"
