// What lies under the cursor, against a search without any index.
#include <QTest>
#include <cmath>
#include <random>

#include "render/view/pick_index.h"
#include "tests/image/scene_samples.h"

using namespace farfield;
using namespace farfield::view;

namespace {

scene::Camera camera(bool orthographic) {
  scene::Camera made;
  made.position = {0, 0, 5};
  made.orthographic = orthographic;
  made.orthographicHeight = 2 * 5 * std::tan(15 * M_PI / 180);
  return made;
}

struct Made {
  VertexArrays arrays;
  std::unique_ptr<PickIndex> index;
};

template <class Chunk>
std::shared_ptr<Made> indexOf(const Chunk& chunk, PickIndex::Kind kind, const LocalFrame& frame = {}) {
  auto made = std::make_shared<Made>();
  made->arrays.set(chunk, scene::SceneItem{}, frame);
  made->index =
      std::make_unique<PickIndex>(kind, made->arrays.vertices, made->arrays.indices, frame, nullptr);
  return made;
}
std::shared_ptr<Made> indexOf(const test::Lines& lines, const LocalFrame& frame = {}) {
  return indexOf(scene::LineChunk{lines.points, {}, lines.lengths}, PickIndex::Kind::Lines, frame);
}
std::shared_ptr<Made> indexOf(const test::Triangles& surface, const LocalFrame& frame = {}) {
  return indexOf(scene::TriangleChunk{surface.points, surface.normals, {}, surface.triangles},
                 PickIndex::Kind::Triangles, frame);
}

}  // namespace

class TestPickIndex : public QObject {
  Q_OBJECT
 private slots:
  void trianglesAreHitWhereTheyAre() {
    const auto near = test::square(0.5, 0.5, {}, {0.2, 0, 0}), far = test::square(0.9, -0.5);
    for (const bool flat : {false, true}) {
      const ScreenMap map(camera(flat), 400, 400);
      const auto hit = indexOf(*near)->index->pick(map, *map.project({0.3, 0.1, 0.5}), 0);
      QVERIFY(hit && length(hit->place - Vec3{0.3, 0.1, 0.5}) < 1e-6);
      QVERIFY(std::abs(hit->depth - 4.5) < 1e-6);
      QVERIFY(!indexOf(*near)->index->pick(map, *map.project({-0.4, 0, 0.5}), 0));
      QVERIFY(!indexOf(*near)->index->pick(map, {-50, 200}, 0));
      // The foremost of one item.
      auto both = *far;
      both.points.insert(both.points.end(), near->points.begin(), near->points.end());
      both.normals.insert(both.normals.end(), near->normals.begin(), near->normals.end());
      both.triangles = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
      QVERIFY(std::abs(indexOf(both)->index->pick(map, *map.project({0.3, 0.1, 0.5}), 0)->depth - 4.5) <
              1e-6);
    }
  }

  void linesAreHitNearby() {
    test::Lines lines;
    lines.add({{-1, 0.2, 0}, {0, 0.2, 0}, {1, 0.2, 0}});
    lines.add({{-1, -0.4, 0}, {1, -0.4, 0}});
    for (const bool flat : {false, true}) {
      const ScreenMap map(camera(flat), 400, 400);
      ScreenPoint at = *map.project({0.37, 0.2, 0});
      at.y += 3;
      const auto hit = indexOf(lines)->index->pick(map, at, 4);
      QVERIFY(hit && length(hit->place - Vec3{0.37, 0.2, 0}) < 1e-5);
      QVERIFY(!indexOf(lines)->index->pick(map, at, 2));
      // Between one line and the next there is nothing, though one follows the other in memory.
      QVERIFY(!indexOf(lines)->index->pick(map, *map.project({0, -0.1, 0}), 4));
    }
  }

  void placesAlongReceedingLinesAreRight() {
    test::Lines lines;
    lines.add({{-0.5, 0, 3}, {0.9, 0, -8}});
    const ScreenMap map(camera(false), 400, 400);
    for (const double t : {0.1, 0.4, 0.8}) {
      const Vec3 place = Vec3{-0.5, 0, 3} + t * Vec3{1.4, 0, -11};
      const auto hit = indexOf(lines)->index->pick(map, *map.project(place), 2);
      QVERIFY(hit && length(hit->place - place) < 1e-4);
    }
  }

  void whatIsBehindTheEyeIsNotHit() {
    const ScreenMap map(camera(false), 400, 400);
    QVERIFY(!indexOf(*test::square(1, 9))->index->pick(map, {200, 200}, 5));
    test::Lines lines;
    lines.add({{-1, 0, 9}, {1, 0, 9}});
    QVERIFY(!indexOf(lines)->index->pick(map, {200, 200}, 5));
  }

  void sameAsLookingAtEverything() {
    // Thousands of short lines and small triangles, far from the origin, against each one by itself.
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-1, 1), small(-0.05, 0.05);
    const Vec3 far{3e5, -2e5, 1e5};
    const LocalFrame frame{far, 0.8};
    test::Lines lines;
    test::Triangles triangles;
    for (int i = 0; i < 3000; ++i) {
      const Vec3 p = far + Vec3{place(random), place(random), place(random)};
      std::vector<Vec3> line{p};
      for (int k = 0; k < 5; ++k)
        line.push_back(line.back() + Vec3{small(random), small(random), small(random)});
      lines.add(line);
      for (int k = 0; k < 3; ++k) {
        const Vec3 corner = p + Vec3{small(random), small(random), small(random)};
        triangles.points.insert(triangles.points.end(), {corner.x, corner.y, corner.z});
        triangles.normals.insert(triangles.normals.end(), {0, 0, 1});
        triangles.triangles.push_back(std::uint32_t(3 * i + k));
      }
    }
    const auto allLines = indexOf(lines, frame), allTriangles = indexOf(triangles, frame);
    scene::Camera eye = camera(false);
    eye.position = far + Vec3{0.3, 0.5, 4};
    eye.target = far;
    const ScreenMap map(eye, 600, 400);
    int hits = 0;
    for (int i = 0; i < 100; ++i) {
      const ScreenPoint pixel{300 + 200 * place(random), 200 + 150 * place(random)};
      const auto check = [&](const std::optional<PickHit>& found, auto&& each) {
        std::optional<PickHit> best;
        each([&](const Made& one) {
          const auto hit = one.index->pick(map, pixel, 2);
          if (hit && (!best || hit->depth < best->depth)) best = hit;
        });
        QCOMPARE(found.has_value(), best.has_value());
        if (found) QVERIFY(std::abs(found->depth - best->depth) < 1e-4);
        hits += found.has_value();
      };
      check(allLines->index->pick(map, pixel, 2), [&](const auto& see) {
        for (std::size_t k = 0; k < lines.lengths.size(); ++k) {
          test::Lines one;
          one.points.assign(lines.points.begin() + std::ptrdiff_t(18 * k),
                            lines.points.begin() + std::ptrdiff_t(18 * k + 18));
          one.lengths = {6};
          see(*indexOf(one, frame));
        }
      });
      check(allTriangles->index->pick(map, pixel, 2), [&](const auto& see) {
        for (std::size_t k = 0; k < 3000; ++k) {
          test::Triangles one;
          one.points.assign(triangles.points.begin() + std::ptrdiff_t(9 * k),
                            triangles.points.begin() + std::ptrdiff_t(9 * k + 9));
          one.normals = {0, 0, 1, 0, 0, 1, 0, 0, 1};
          one.triangles = {0, 1, 2};
          see(*indexOf(one, frame));
        }
      });
    }
    QVERIFY2(hits > 20, qPrintable(QString::number(hits)));
  }

  void nothingHoldsNothing() {
    const ScreenMap map(camera(false), 400, 400);
    const auto empty = indexOf(test::Lines{});
    QVERIFY(!empty->index->pick(map, {200, 200}, 5));
    QVERIFY(empty->index->bounds().empty());
    const auto some = indexOf(*test::square(0.5, 0.25));
    QCOMPARE(some->index->bounds().max, (Vec3{0.5, 0.5, 0.25}));
  }
};

QTEST_APPLESS_MAIN(TestPickIndex)
#include "tst_pick_index.moc"
