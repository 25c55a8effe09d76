// Slices through blocks that overlap, each place shown in the block in which location finds it: once, and without gaps.

#include <QTest>

#include <cmath>
#include <numbers>
#include <random>

#include "core/extract/isosurface.h"
#include "core/extract/slice.h"
#include "core/fields/data/box_data.h"
#include "tests/support/one_task.h"
#include "tests/unit/extract/known_surfaces.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

/// A cube with sides of 2 `half` around the middle, turned about z by `angle`, whose cells are bent.
Block cube(std::int64_t nodes, double half, double angle, Vec3 middle = {}) {
  Block block{{nodes, nodes, nodes}, {}};
  block.place = [=](const Index3& n) {
    Vec3 p = Vec3{-half, -half, -half} + 2 * half / static_cast<double>(nodes - 1) * toVec3(n);
    const double bend = 0.08 * half * std::cos(p.x / half * std::numbers::pi / 2) *
                        std::cos(p.y / half * std::numbers::pi / 2) *
                        std::cos(p.z / half * std::numbers::pi / 2);
    p = p + bend * Vec3{1, -0.7, 0.5};
    return middle + Vec3{std::cos(angle) * p.x - std::sin(angle) * p.y,
                         std::sin(angle) * p.x + std::cos(angle) * p.y, p.z};
  };
  return block;
}

/// A ball of rings around z: radius, angle, height; `from` to `to` in angle.
Block ring(double inner, double outer, double from, double to, std::int64_t around = 25) {
  Block block{{9, around, 9}, {}};
  block.place = [=](const Index3& n) {
    const double r = inner + (outer - inner) * static_cast<double>(n[0]) / 8;
    const double a = from + (to - from) * static_cast<double>(n[1]) / static_cast<double>(around - 1);
    return Vec3{r * std::cos(a), r * std::sin(a), -1 + static_cast<double>(n[2]) / 4};
  };
  return block;
}

struct Cut final : KeptPatches {
  double area = 0;
  std::vector<std::array<Vec3, 3>> triangles;
  bool areValuesRight = true;

  void read(Vec3 normal) {
    for (const Patch& patch : patches) {
      const auto point = [&](std::size_t n) {
        return Vec3{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
      };
      for (std::size_t n = 0; n < patch.points.size() / 3; ++n)
        areValuesRight = areValuesRight && std::abs(patch.values[n] - linearFunction(point(n))) < 1e-9;
      for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
        triangles.push_back(
            {point(patch.triangles[t]), point(patch.triangles[t + 1]), point(patch.triangles[t + 2])});
        const auto& [a, b, c] = triangles.back();
        area += 0.5 * dot(normal, cross(b - a, c - a));
      }
    }
  }
  /// How often a point of a plane across z is covered.
  int countAt(double x, double y) const {
    int count = 0;
    for (const auto& [a, b, c] : triangles) {
      const auto side = [&](Vec3 p, Vec3 q) { return (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x); };
      count += side(a, b) > 0 && side(b, c) > 0 && side(c, a) > 0;
    }
    return count;
  }
};

Cut cut(const std::vector<Block>& blocks, const Plane& plane, Overlaps overlaps, int edge = 8) {
  MemoryAccount account(std::uint64_t{128} << 20);
  const auto data = fields::openBoxes(readerOf(blocks, linearFunction),
                                      {.pageEdge = edge, .threads = false, .name = "field"}, {}, account);
  const fields::FunctionPlan functions(data->description(), {"g"});
  fields::PagedDataOptions options;
  options.arrays = functions.arrays();
  options.resultBytesPerTask = sliceTaskBytes(functions, overlaps);
  fields::PagedData paged(*data, account, options);
  const Slice slice(data->description(), plane, overlaps);
  Cut cut;
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < slice.taskCount(); ++n) slice.extract(n, paged, context, functions, 0, cut);
  });
  cut.read(plane.normal());
  return cut;
}

/// The sphere of radius 0.6.
double areaOfSphere(const std::vector<Block>& blocks, Overlaps overlaps) {
  MemoryAccount account(std::uint64_t{128} << 20);
  const auto data = fields::openBoxes(readerOf(blocks, squaredRadius),
                                      {.pageEdge = 8, .threads = false, .name = "field"}, {}, account);
  const paging::DatasetDescription& description = data->description();
  const auto all = std::make_shared<fields::FunctionPlan>(description, std::vector<std::string>{"f", "g"});
  const fields::SurfaceFunctions functions{all, fields::FunctionPlan(description, {"f"}),
                                           fields::FunctionPlan(description, {"g"})};
  fields::PagedDataOptions options;
  options.arrays = all->arrays();
  options.resultBytesPerTask = isosurfaceTaskBytes(description, functions, overlaps);
  fields::PagedData paged(*data, account, options);
  const Isosurface surface(description, {0.36}, overlaps);
  KeptPatches patches;
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < surface.taskCount(); ++n)
      surface.extract(n, paged, context, functions, 0, patches);
  });
  double area = 0;
  for (const Patch& patch : patches.patches) {
    const auto point = [&](std::uint32_t n) {
      return Vec3{patch.points[std::size_t{3} * n], patch.points[std::size_t{3} * n + 1],
                  patch.points[std::size_t{3} * n + 2]};
    };
    for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
      const Vec3 p = point(static_cast<std::uint32_t>(n));
      const Vec3 normal{patch.normals[3 * n], patch.normals[3 * n + 1], patch.normals[3 * n + 2]};
      QTest::qVerify(length(normal - 1 / length(p) * p) < 0.2, "normal", "", __FILE__, __LINE__);
      QTest::qVerify(std::abs(patch.values[2 * n] - linearFunction(p)) < 0.05, "value", "", __FILE__,
                     __LINE__);
      QTest::qVerify(patch.values[2 * n + 1] == 0.36, "own value", "", __FILE__, __LINE__);
    }
    for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
      const Vec3 a = point(patch.triangles[t]);
      area += 0.5 * length(cross(point(patch.triangles[t + 1]) - a, point(patch.triangles[t + 2]) - a));
    }
  }
  return area;
}

/// Places of a square across z are covered as often as `wanted(x, y)` says, but for one in so many.
template <class Wanted>
void compareCover(const Cut& cut, double half, const Wanted& wanted, int oneIn) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> along(-half, half);
  constexpr int kPlaces = 3000;
  int wrong = 0;
  for (int n = 0; n < kPlaces; ++n) {
    const double x = along(random), y = along(random);
    wrong += cut.countAt(x, y) != wanted(x, y);
  }
  QVERIFY2(wrong <= kPlaces / oneIn, qPrintable(QString::number(wrong)));
}

}  // namespace

class TestOverlaps : public QObject {
  Q_OBJECT
 private slots:
  void aTurnedBlockWithinAnother();
  void curvedBorders();
  void holesShowTheOtherBlock();
  void whatOnlyTouchesLosesNothing();
  void isosurfacesAreThereOnce();
  void pagesDoNotMatter();
  void blocksAloneAreAsTheyWere();
};

void TestOverlaps::aTurnedBlockWithinAnother() {
  const Plane plane({0, 0, 0.03}, {0, 0, 1});
  const Block inner = cube(17, 0.5, 0.4), outer = cube(21, 1, 0);
  for (const std::vector<Block>& blocks : {std::vector{inner, outer}, std::vector{outer, inner}}) {
    const Cut all = cut(blocks, plane, Overlaps::All), resolved = cut(blocks, plane, Overlaps::Resolved);
    QVERIFY(std::abs(all.area - 5) < 1e-9);
    // The border has straight sides: only its corners are cut off, by a quarter of an edge.
    QVERIFY2(std::abs(resolved.area - 4) < 4e-4, qPrintable(QString::number(resolved.area - 4)));
    QVERIFY(resolved.areValuesRight);
    compareCover(
        resolved, 0.99, [](double, double) { return 1; }, 500);
  }
  // The first block is there whole: with the outer one first nothing of the inner one is.
  QCOMPARE(cut({outer, inner}, plane, Overlaps::Resolved).triangles.size(),
           cut({outer}, plane, Overlaps::All).triangles.size());
}

void TestOverlaps::curvedBorders() {
  // Quarter rings that overlap by parts of cells, within a block that overlaps them all.
  const double turn = 2 * std::numbers::pi;
  std::vector<Block> blocks;
  for (int n = 0; n < 4; ++n)
    blocks.push_back(ring(0.3, 0.8, turn * n / 4 - 0.05, turn * (n + 1) / 4 + 0.07));
  blocks.push_back(cube(33, 1, 0));
  const Cut resolved = cut(blocks, Plane({0, 0, 0.03}, {0, 0, 1}), Overlaps::Resolved);
  QVERIFY2(std::abs(resolved.area - 4) < 1e-3, qPrintable(QString::number(resolved.area - 4)));
  compareCover(
      resolved, 0.99, [](double, double) { return 1; }, 300);
  // aslant, too
  const Plane aslant({0, 0, 0.03}, {0.2, 0.1, 1});
  const double alone = cut({blocks.back()}, aslant, Overlaps::All).area;
  const double area = cut(blocks, aslant, Overlaps::Resolved).area;
  QVERIFY2(std::abs(area - alone) < 1e-3, qPrintable(QString::number(area - alone)));
}

void TestOverlaps::holesShowTheOtherBlock() {
  // What is blanked in the first block is seen in the second, and nothing twice.
  Block first = cube(21, 1, 0), second = cube(29, 1, 0);
  first.isBlank = [](const Index3& n) { return n[0] > 6 && n[0] < 14 && n[1] > 8 && n[1] < 15; };
  const Plane plane({0, 0, 0.03}, {0, 0, 1});
  const Cut alone = cut({first}, plane, Overlaps::All);
  QVERIFY(alone.area < 3.6);
  const Cut resolved = cut({first, second}, plane, Overlaps::Resolved);
  QVERIFY2(std::abs(resolved.area - 4) < 2e-3, qPrintable(QString::number(resolved.area - 4)));
  QVERIFY(resolved.triangles.size() > alone.triangles.size());
  compareCover(
      resolved, 0.99, [](double, double) { return 1; }, 300);
}

void TestOverlaps::whatOnlyTouchesLosesNothing() {
  Block low = cube(17, 1, 0), high = cube(13, 1, 0, {2, 0, 0});
  for (const std::vector<Block>& blocks : {std::vector{low, high}, std::vector{high, low}}) {
    const Plane plane({0, 0, 0.03}, {0.05, 0.1, 1});
    const Cut all = cut(blocks, plane, Overlaps::All), resolved = cut(blocks, plane, Overlaps::Resolved);
    QCOMPARE(resolved.triangles.size(), all.triangles.size());
    QVERIFY(std::abs(resolved.area - all.area) < 1e-12);
  }
}

void TestOverlaps::isosurfacesAreThereOnce() {
  // The inner cube holds parts of the sphere, and its sides cut it. Each block has its own triangles, which lie within the
  // sphere by what is of second order; so is what is missing between them.
  const double sphere = 4 * std::numbers::pi * 0.36;
  for (const bool innerFirst : {true, false}) {
    double before = 0;
    for (const std::int64_t finer : {1, 2}) {
      std::vector<Block> blocks{cube(24 * finer + 1, 0.5, 0.4), cube(32 * finer + 1, 1, 0)};
      if (!innerFirst) std::swap(blocks[0], blocks[1]);
      QVERIFY(areaOfSphere(blocks, Overlaps::All) > 1.3 * sphere);
      const double error = std::abs(areaOfSphere(blocks, Overlaps::Resolved) / sphere - 1);
      QVERIFY2(error < 0.01, qPrintable(QString::number(error)));
      if (before > 0) QVERIFY2(before / error > 3, qPrintable(QString::number(before / error)));
      before = error;
    }
  }
}

void TestOverlaps::pagesDoNotMatter() {
  const std::vector<Block> blocks{cube(17, 0.5, 0.4), cube(21, 1, 0)};
  const Plane plane({0, 0, 0.03}, {0.2, 0.1, 1});
  const Cut one = cut(blocks, plane, Overlaps::Resolved, 5),
            other = cut(blocks, plane, Overlaps::Resolved, 32);
  QVERIFY(one.patches == other.patches);
}

void TestOverlaps::blocksAloneAreAsTheyWere() {
  const Plane plane({0, 0, 0.03}, {0.2, 0.1, 1});
  QVERIFY(cut({cube(21, 1, 0)}, plane, Overlaps::Resolved).patches ==
          cut({cube(21, 1, 0)}, plane, Overlaps::All).patches);
}

QTEST_GUILESS_MAIN(TestOverlaps)
#include "tst_overlaps.moc"
