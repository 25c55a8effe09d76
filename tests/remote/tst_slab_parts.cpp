// How a volume is divided among ranks and put together: by what parts cost, in the order in which rays meet them, and on planes
// that cover it.

#include <QTest>
#include <cmath>
#include <numeric>

#include "core/scene/slab_rays.h"
#include "remote/slabd/frame_exchange.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabs/slab_plane.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::test {
namespace {

using namespace remote;

VolumeFacts facts() {
  VolumeFacts its;
  its.nodes = {65, 33, 17};
  its.bounds.add(Vec3{-1, 0, 2});
  its.bounds.add(Vec3{3, 2, 3});
  its.times = {0};
  return its;
}

std::size_t countOf(const Planned& plan, std::uint32_t rank) {
  return static_cast<std::size_t>(std::count(plan.ranks.begin(), plan.ranks.end(), rank));
}

}  // namespace

class TestSlabParts : public QObject {
  Q_OBJECT
 private slots:
  void slabsCoverTheVolume();
  void edgesAreNotThoseOfBricks();
  void costsAreShared();
  void ranksThatAreGoneGetNothing();
  void partsFollowTheEye();
  void planesCoverTheVolume();
  void stretchedPlanesCoverTheVolume();
  void theCameraTravelsWhole();
  void theBestAxisIsTaken();
  void urls();
  void slabsAreDrawnByRays_data();
  void slabsAreDrawnByRays();
  void noPixelIsLeftOutBetweenTriangles();
  void slabsAreCutAtTheEye();
};

void TestSlabParts::slabsCoverTheVolume() {
  const SlabCosts costs(facts());
  for (int axis = 0; axis < 3; ++axis) {
    const Planned plan = costs.slabs(axis, 8, {0, 1, 2});
    QCOMPARE(plan.ranks.size(), 8u);
    QCOMPARE(plan.edges.size(), 9u);
    QCOMPARE(plan.edges.front(), facts().bounds.min[axis]);
    QCOMPARE(plan.edges.back(), facts().bounds.max[axis]);
    QVERIFY(std::is_sorted(plan.edges.begin(), plan.edges.end()));
    QVERIFY(std::is_sorted(plan.ranks.begin(), plan.ranks.end()));  // runs
    for (const std::uint32_t rank : {0u, 1u, 2u}) QVERIFY(countOf(plan, rank) >= 2);
  }
  // no more than there are cells
  QCOMPARE(costs.slabs(2, 200, {0}).ranks.size(), 16u);
}

/// What lies a cell beyond an edge is read, too, and with it its brick.
void TestSlabParts::edgesAreNotThoseOfBricks() {
  VolumeFacts large = facts();
  large.nodes = {640, 256, 257};
  const SlabCosts costs(large);
  for (int axis = 0; axis < 3; ++axis)
    for (const std::uint32_t count : {2u, 7u, 8u}) {
      const auto cells = static_cast<double>(large.nodes[static_cast<std::size_t>(axis)] - 1);
      const Planned plan = costs.slabs(axis, count, {0, 1});
      const double low = large.bounds.min[axis], extent = large.bounds.max[axis] - low;
      QCOMPARE(plan.edges.front(), low);
      QCOMPARE(plan.edges.back(), large.bounds.max[axis]);
      for (std::uint32_t n = 1; n < count; ++n) {
        const double node = (plan.edges[n] - low) / extent * cells;
        QVERIFY(std::abs(node - std::round(node)) < 1e-9);
        QVERIFY(std::abs(node - cells * n / count) < 3);
        QVERIFY(std::abs(node - 32 * std::round(node / 32)) > 1.5);
      }
    }
}

void TestSlabParts::costsAreShared() {
  SlabCosts costs(facts());
  // the lower half takes nine times as long as the upper one
  costs.note(0, -1, 1, 9);
  costs.note(0, 1, 3, 1);
  const Planned slabs = costs.slabs(0, 20, {0, 1});
  QVERIFY(countOf(slabs, 0) >= 5 && countOf(slabs, 0) <= 6);
  const Planned parts = costs.parts(0, {0, 1});
  QCOMPARE(parts.ranks.size(), 2u);
  // five of the ten seconds: five ninths of the lower half
  QVERIFY(std::abs(parts.edges[1] - (-1 + 2 * 5.0 / 9)) < 0.1);
  // along the other axes nothing is known
  QCOMPARE(countOf(costs.slabs(1, 20, {0, 1}), 0), 10u);
  // nonsense changes nothing
  costs.note(0, 3, -1, 5);
  costs.note(0, -1, 1, std::nan(""));
  QCOMPARE(costs.slabs(0, 20, {0, 1}).ranks, slabs.ranks);
}

void TestSlabParts::ranksThatAreGoneGetNothing() {
  const SlabCosts costs(facts());
  const Planned plan = costs.slabs(1, 9, {0, 2, 5});
  QCOMPARE(countOf(plan, 0) + countOf(plan, 2) + countOf(plan, 5), 9u);
  const Planned parts = costs.parts(1, {2, 5});
  QCOMPARE(parts.ranks, (std::vector<std::uint32_t>{2, 5}));
  QCOMPARE(parts.edges.size(), 3u);
}

void TestSlabParts::partsFollowTheEye() {
  const std::vector<double> edges{0, 1, 2, 3, 4};
  scene::Camera camera;
  camera.target = {2, 2, 2};
  camera.position = {10, 2, 2};
  using Order = std::vector<std::size_t>;
  QCOMPARE(visibilityOrder(camera, 0, edges), (Order{3, 2, 1, 0}));
  camera.position = {-5, 2, 2};
  QCOMPARE(visibilityOrder(camera, 0, edges), (Order{0, 1, 2, 3}));
  // from within: the part around the eye first, then what is near
  camera.position = {1.25, 9, 2};
  QCOMPARE(visibilityOrder(camera, 0, edges).front(), std::size_t{1});
  camera.orthographic = true;
  camera.position = {-5, 2, 2};
  QCOMPARE(visibilityOrder(camera, 0, edges), (Order{0, 1, 2, 3}));
  camera.position = {9, 2, 2};
  QCOMPARE(visibilityOrder(camera, 0, edges), (Order{3, 2, 1, 0}));
}

void TestSlabParts::planesCoverTheVolume() {
  const Bounds bounds = facts().bounds;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool above : {false, true}) {
      const SlabPlane plane = slabPlane(bounds, axis, above, 100);
      QCOMPARE(std::max(plane.width, plane.height), 100);
      Bounds covered;
      for (const double u : {0.0, 1.0})
        for (const double v : {0.0, 1.0}) covered.add(plane.pointAt(u, v, bounds.min[axis]));
      for (int a = 0; a < 3; ++a) {
        if (a == axis) continue;
        QVERIFY(covered.min[a] <= bounds.min[a] + 1e-12 && covered.max[a] >= bounds.max[a] - 1e-12);
        QVERIFY(covered.max[a] - covered.min[a] < 1.1 * (bounds.max[a] - bounds.min[a]));
      }
      QVERIFY(plane.depthOf(above ? bounds.max[axis] : bounds.min[axis]) > 0);
      QVERIFY(plane.depthOf(above ? bounds.min[axis] : bounds.max[axis]) >
              plane.depthOf(above ? bounds.max[axis] : bounds.min[axis]));
    }
}

/// Both sides compute places from the data's bounds and the stretch; what is square is so where it is seen.
void TestSlabParts::stretchedPlanesCoverTheVolume() {
  const Bounds bounds = facts().bounds;
  const Vec3 stretch{1, 2, 50};
  for (int axis = 0; axis < 3; ++axis)
    for (const bool above : {false, true}) {
      const SlabPlane plane = slabPlane(bounds, axis, above, 100, stretch),
                      seen = slabPlane(scene::stretched(bounds, stretch), axis, above, 100);
      QCOMPARE(plane.width, seen.width);
      QCOMPARE(plane.height, seen.height);
      QVERIFY(plane.camera.stretch == stretch && plane.camera.position == seen.camera.position);
      const double at = bounds.min[axis];
      QCOMPARE(plane.depthOf(at), seen.depthOf(stretch[axis] * at));
      const Vec3 here = plane.pointAt(0.3, 0.8, at), there = seen.pointAt(0.3, 0.8, stretch[axis] * at);
      QVERIFY(length(scene::stretched(here, stretch) - there) < 1e-9 * length(there));
    }
  // The best axis is the one that is looked along, as it is seen.
  const scene::VolumeLook look;
  const scene::ColorScale scale;
  scene::SlabAim aim{look, scale, {}, 400, 400};
  aim.camera.stretch = stretch;
  const Vec3 middle = scene::stretched(bounds.center(), stretch);
  aim.camera.target = middle;
  aim.camera.position = middle + Vec3{10, 1, 3};
  QCOMPARE(slabViewOf(bounds, aim, -1).axis, 0);
  QVERIFY(slabViewOf(bounds, aim, -1).fromAbove);
  QCOMPARE(scene::besideWeight(bounds, aim.camera).axis, 2);
  QCOMPARE(scene::besideWeight(bounds, aim.camera).weight, 0.0);
  // Ends of parts are the data's.
  scene::Camera camera;
  camera.stretch = {10, 1, 1};
  camera.target = {0, 0, 0};
  camera.position = {25, 1, 1};
  QCOMPARE(visibilityOrder(camera, 0, {0, 1, 2, 3}).front(), std::size_t{2});
}

void TestSlabParts::theCameraTravelsWhole() {
  ShowRequest request;
  request.pixels = 2;
  request.look.opacity = {{0, 1}};
  request.camera.stretch = {1, 2, 1e-3};
  QVERIFY(parseShowRequest(bytesOf(request)).camera == request.camera);
  request.camera.stretch = {1, 0, 1};
  QVERIFY_EXCEPTION_THROWN(parseShowRequest(bytesOf(request)), Protocol);
}

void TestSlabParts::theBestAxisIsTaken() {
  const Bounds bounds = facts().bounds;
  const scene::VolumeLook look;
  const scene::ColorScale scale;
  scene::SlabAim aim{look, scale, {}, 400, 400};
  aim.camera.target = {1, 1, 2.5};
  aim.camera.position = {1.5, 9, 4};
  QCOMPARE(slabViewOf(bounds, aim, -1).axis, 1);
  QVERIFY(slabViewOf(bounds, aim, -1).fromAbove);
  aim.camera.position = {-9, 2, 4};
  QCOMPARE(slabViewOf(bounds, aim, -1).axis, 0);
  QVERIFY(!slabViewOf(bounds, aim, -1).fromAbove);
  QCOMPARE(slabViewOf(bounds, aim, 2).axis, 2);
  const int near = slabViewOf(bounds, aim, -1).pixels;
  aim.camera.position = {-90, 2, 4};
  QVERIFY(slabViewOf(bounds, aim, -1).pixels < near);
}

void TestSlabParts::urls() {
  QCOMPARE(parseSlabUrl("slab://cluster:1234").port, 1234);
  QCOMPARE(parseSlabUrl("slab://cluster").port, kDefaultSlabPort);
  QCOMPARE(parseSlabUrl("slab://[::1]:77/").port, 77);
  QCOMPARE(parseSlabUrl("slab://[::1]").port, kDefaultSlabPort);
  for (const char* const url : {"far://a:1", "slab://", "slab://a:0", "slab://a:99999", "slab://a:1/b",
                                "slab://a,b", "slab://user@a"})
    QVERIFY_EXCEPTION_THROWN(parseSlabUrl(url), Invalid);
}

void TestSlabParts::slabsAreDrawnByRays_data() {
  QTest::addColumn<bool>("orthographic");
  QTest::addColumn<int>("valueBytes");
  QTest::newRow("perspective") << false << 1;
  QTest::newRow("without") << true << 1;
  QTest::newRow("16 bits a value") << false << 2;
}

/// Two slabs one behind the other, of one colour each: in the middle both are seen, beside them nothing, and rays that end between
/// them, or begin there, see one.
void TestSlabParts::slabsAreDrawnByRays() {
  QFETCH(bool, orthographic);
  QFETCH(int, valueBytes);
  const auto slabAt = [&](double z, std::array<std::uint8_t, 4> color) {
    auto image = std::make_shared<scene::SlabImage>();
    image->width = image->height = 2;
    image->valueBytes = valueBytes;
    // 0x6666 is to 0xffff as 0x66 is to 0xff
    for (int n = 0; n < 16; ++n)
      image->rgba.insert(image->rgba.end(), static_cast<std::size_t>(valueBytes),
                         color[static_cast<std::size_t>(n % 4)]);
    scene::Slab slab;
    slab.points = {{-1, 1, z}, {1, 1, z}, {-1, -1, z}, {1, -1, z}};
    slab.places = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    slab.triangles = {{0, 2, 1}, {1, 2, 3}};
    slab.image = image;
    return slab;
  };
  scene::SlabSet set;
  set.slabs = {slabAt(1, {0, 102, 0, 102}), slabAt(-1, {255, 0, 0, 255})};
  const scene::VolumeLook look;
  const scene::ColorScale scale;
  scene::Camera camera;
  camera.position = {0, 0, 9};
  camera.orthographic = orthographic;
  camera.orthographicHeight = 6;
  constexpr int kSize = 30;
  const auto drawn = [&](float from, float to) {
    const std::vector<float> begins(kSize * kSize, from), ends(kSize * kSize, to);
    std::vector<float> rgba(4 * kSize * kSize);
    const scene::VolumeCast cast{.look = look,
                                 .scale = scale,
                                 .camera = camera,
                                 .width = kSize,
                                 .height = kSize,
                                 .rows = kSize,
                                 .from = begins,
                                 .to = ends,
                                 .stop = {}};
    scene::drawSlabs(set, cast, rgba);
    return rgba;
  };
  const auto isNear = [](const std::vector<float>& rgba, int x, int y, std::array<float, 4> wanted) {
    for (std::size_t c = 0; c < 4; ++c)
      if (std::abs(rgba[4 * static_cast<std::size_t>(y * kSize + x) + c] - wanted[c]) > 1e-3f) return false;
    return true;
  };
  for (const int at : {13, 14, 15, 16}) {
    QVERIFY(isNear(drawn(0, INFINITY), at, at, {0.6f, 0.4f, 0, 1}));
    QVERIFY(isNear(drawn(0, 9), at, at, {0, 0.4f, 0, 0.4f}));
    QVERIFY(isNear(drawn(9, INFINITY), at, at, {1, 0, 0, 1}));
    QVERIFY(isNear(drawn(0, 5), at, at, {0, 0, 0, 0}));
  }
  QVERIFY(isNear(drawn(0, INFINITY), 1, 1, {0, 0, 0, 0}));
  // the same where they are stretched to these places
  camera.stretch = {1, 1, 50};
  for (scene::Slab& slab : set.slabs)
    for (Vec3& point : slab.points) point.z /= 50;
  QVERIFY(isNear(drawn(0, INFINITY), 15, 15, {0.6f, 0.4f, 0, 1}));
  QVERIFY(isNear(drawn(0, 9), 15, 15, {0, 0.4f, 0, 0.4f}));
  QVERIFY(isNear(drawn(9, INFINITY), 15, 15, {1, 0, 0, 1}));
  // from the other side the opaque one hides the other
  camera.position = {0, 0, -9};
  QVERIFY(isNear(drawn(0, INFINITY), 15, 15, {1, 0, 0, 1}));
}

/// Pixels whose middles lie on the edge that two triangles share are one's.
void TestSlabParts::noPixelIsLeftOutBetweenTriangles() {
  auto image = std::make_shared<scene::SlabImage>();
  image->width = image->height = 1;
  image->rgba = {255, 255, 255, 255};
  const scene::VolumeLook look;
  const scene::ColorScale scale;
  constexpr int kSize = 64;
  scene::Camera camera;
  camera.position = {0, 0, 9};
  camera.orthographic = true;
  camera.orthographicHeight = 6.2;
  const double pixel = camera.orthographicHeight / kSize;
  for (int n = 0; n < 200; ++n) {
    // four triangles about the middle of a pixel, whose edges go through those of others; together they cover the picture
    const double x = (n % 14 - 6.5) * pixel, y = (n / 14 - 6.5) * pixel;
    const int a = 1 + n % 5, b = 1 + n % 7, far = 90 * kSize;
    scene::Slab slab;
    slab.image = image;
    slab.points = {{x, y, 0},
                   {x + far * a * pixel, y + far * b * pixel, 0},
                   {x - far * b * pixel, y + far * a * pixel, 0},
                   {x - far * a * pixel, y - far * b * pixel, 0},
                   {x + far * b * pixel, y - far * a * pixel, 0}};
    slab.places.assign(5, {0.5, 0.5});
    slab.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    scene::SlabSet set;
    set.slabs = {slab};
    std::vector<float> rgba(4 * kSize * kSize);
    scene::drawSlabs(set,
                     {.look = look,
                      .scale = scale,
                      .camera = camera,
                      .width = kSize,
                      .height = kSize,
                      .rows = kSize,
                      .from = {},
                      .to = {},
                      .stop = {}},
                     rgba);
    for (std::size_t at = 0; at < rgba.size(); at += 4)
      QVERIFY2(rgba[at + 3] == 1, qPrintable(QStringLiteral("net %1, pixel %2").arg(n).arg(at / 4)));
  }
}

/// A floor of two triangles that goes on behind the eye was left out; what is in front of the eye is as the same floor that ends there.
void TestSlabParts::slabsAreCutAtTheEye() {
  auto image = std::make_shared<scene::SlabImage>();
  image->width = 1;
  image->height = 2;
  image->rgba = {255, 0, 0, 255, 0, 255, 0, 255};
  constexpr double kFar = -8;
  const auto floorTo = [&](double near) {
    const auto place = static_cast<float>((near - kFar) / -(2 * kFar));
    scene::Slab slab;
    slab.image = image;
    slab.points = {{-3, -1, near}, {3, -1, near}, {-3, -1, kFar}, {3, -1, kFar}};
    slab.places = {{0, place}, {1, place}, {0, 0}, {1, 0}};
    slab.triangles = {{0, 2, 1}, {1, 2, 3}};
    return slab;
  };
  const scene::VolumeLook look;
  const scene::ColorScale scale;
  constexpr int kSize = 40;
  scene::Camera camera;
  camera.position = {0, 0, 0};
  camera.target = {0, 0, -1};
  camera.fieldOfViewDegrees = 60;
  const auto drawn = [&](double near) {
    scene::SlabSet set;
    set.slabs = {floorTo(near)};
    std::vector<float> rgba(4 * kSize * kSize);
    scene::drawSlabs(set,
                     {.look = look,
                      .scale = scale,
                      .camera = camera,
                      .width = kSize,
                      .height = kSize,
                      .rows = kSize,
                      .from = {},
                      .to = {},
                      .stop = {}},
                     rgba);
    return rgba;
  };
  const std::vector<float> whole = drawn(-kFar), before = drawn(-0.01);
  // the lowest rows see it near the eye
  for (int row = kSize - 8; row < kSize; ++row)
    QCOMPARE(whole[4 * static_cast<std::size_t>(row * kSize + kSize / 2) + 3], 1.0f);
  for (std::size_t n = 0; n < whole.size(); ++n)
    QVERIFY2(std::abs(whole[n] - before[n]) < 1e-4f, qPrintable(QStringLiteral("value %1").arg(n)));
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabParts)
#include "tst_slab_parts.moc"
