// Handles: what is hit, and where positions go.
#include <QRegularExpression>
#include <QTest>
#include <cmath>

#include "render/view/handle_drag.h"
#include "tests/unit/render/front_camera.h"

using namespace farfield;
using namespace farfield::view;
using test::front;

namespace {

scene::Camera slanted() {
  scene::Camera camera;
  camera.position = {3, 2, 4};
  return camera;
}

Handle make(HandleKind kind, std::vector<Vec3> positions, const Bounds& box = {}) {
  return {.id = "h", .kind = kind, .positions = std::move(positions), .color = {}, .box = box};
}

bool near(Vec3 a, Vec3 b, double tolerance = 1e-6) {
  return length(a - b) <= tolerance;
}

Vec3 knobPlace(const Handle& handle, int part, const ScreenMap& map) {
  for (const Knob& knob : knobsOf(handle, map))
    if (knob.part == part) return knob.place;
  return {NAN, NAN, NAN};
}

// `part` dragged from where it is seen to where `to` is seen.
Handle dragged(const Handle& handle, int part, Vec3 to, const ScreenMap& map, bool constrained = false) {
  const HandleDrag drag(handle, part, *map.project(knobPlace(handle, part, map)), map);
  return drag.moved(*map.project(to), constrained);
}

}  // namespace

class TestHandleDrag : public QObject {
  Q_OBJECT
 private slots:
  void endsOfARakeFollowTheCursor() {
    const Handle rake = make(HandleKind::Line, {{-0.5, 0, 0}, {0.5, 0, 0}});
    for (const bool flat : {false, true}) {
      const ScreenMap map(front(flat), 400, 400);
      const Handle one = dragged(rake, 1, {0.3, 0.6, 0}, map);
      QVERIFY(near(one.positions[0], {-0.5, 0, 0}) && near(one.positions[1], {0.3, 0.6, 0}));
      const Handle both = dragged(rake, kMiddle, {0.1, 0.2, 0}, map);
      QVERIFY(near(both.positions[0], {-0.4, 0.2, 0}) && near(both.positions[1], {0.6, 0.2, 0}));
    }
  }

  void aPlaneInAFaceIsFramedByIt_data() {
    QTest::addColumn<int>("axis");
    QTest::addColumn<bool>("high");
    QTest::addColumn<double>("beside");
    for (int axis = 0; axis < 3; ++axis)
      for (const bool high : {false, true})
        for (const double beside : {0.0, 1e-7, -1e-7})
          QTest::addRow("%c %s %g", "xyz"[axis], high ? "high" : "low", beside) << axis << high << beside;
  }
  // Also where the number of the face is rounded.
  void aPlaneInAFaceIsFramedByIt() {
    QFETCH(int, axis);
    QFETCH(bool, high);
    QFETCH(double, beside);
    Bounds box;
    box.add(Vec3{-1, -0.5, -2});
    box.add(Vec3{1, 0.956522, 3});
    Vec3 origin = box.center(), normal;
    origin[axis] = (high ? box.max : box.min)[axis] + beside;
    normal[axis] = 1;
    const ScreenMap map(slanted(), 640, 480);
    const std::vector<Vec3> rim = areaOf(make(HandleKind::Plane, {origin, normal}, box), map);
    QCOMPARE(rim.size(), std::size_t{4});
    Bounds its;
    for (const Vec3& corner : rim) its.add(corner);
    for (int a = 0; a < 3; ++a) {
      if (a == axis) continue;
      QCOMPARE(its.min[a], box.min[a]);
      QCOMPARE(its.max[a], box.max[a]);
    }
    QVERIFY(std::abs(its.min[axis] - origin[axis]) < 1e-6 && std::abs(its.max[axis] - origin[axis]) < 1e-6);
  }

  void aCursorThatReturnsBringsEverythingBack() {
    const ScreenMap map(slanted(), 640, 480);
    for (const Handle& handle :
         {make(HandleKind::Point, {{0.1, 0.2, 0.3}}), make(HandleKind::Line, {{-0.5, 0, 0}, {0.5, 0.1, 0}}),
          make(HandleKind::Patch, {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}}),
          make(HandleKind::Plane, {{0, 0, 0}, {1, 2, 3}}),
          make(HandleKind::Box, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}})})
      for (const Knob& knob : knobsOf(handle, map)) {
        const ScreenPoint at = *map.project(knob.place);
        const HandleDrag drag(handle, knob.part, at, map);
        QVERIFY(drag.moved({at.x + 30, at.y - 20}).positions != handle.positions);
        const Handle back = drag.moved(at);
        for (std::size_t i = 0; i < handle.positions.size(); ++i)
          QVERIFY(near(back.positions[i], handle.positions[i], 1e-9));
      }
  }

  void shiftKeepsToOneAxis() {
    const ScreenMap map(front(true), 400, 400);
    const Handle moved = dragged(make(HandleKind::Point, {{0, 0, 0}}), 0, {0.4, 0.1, 0}, map, true);
    QVERIFY(near(moved.positions[0], {0.4, 0, 0}));
    // Also along an axis that is aslant to the screen it goes with the cursor.
    const ScreenMap aslant(slanted(), 640, 480);
    for (const Vec3 to : {Vec3{0.5, 0.4, 0.3}, Vec3{0.2, 0.7, 0.3}, Vec3{0.2, 0.4, 0.6}}) {
      const Vec3 from{0.2, 0.4, 0.3};
      const Handle along = dragged(make(HandleKind::Point, {from}), 0, to, aslant, true);
      QVERIFY(near(along.positions[0], to, 0.03));
    }
  }

  /// A place on a plane is next to it by rounding alone.
  void placesOnSurfacesHaveNoNoise() {
    const ScreenMap map(slanted(), 640, 480);
    const Handle line = make(HandleKind::Line, {{0.2, 0.4, 0.3}, {0.8, 0.6, 0.7}});
    const Handle moved =
        HandleDrag(line, 0, *map.project({0.2, 0.4, 0.3}), map).movedTo({0.5, 0.25, 7.1e-15});
    QCOMPARE(moved.positions[0].z, 0.0);
    QVERIFY(near(moved.positions[0], {0.5, 0.25, 0}));
    QVERIFY(moved.positions[1] == line.positions[1]);
  }
  void placesStayInALayer() {
    const ScreenMap map(slanted(), 640, 480);
    Handle probe = make(HandleKind::Point, {{0.2, -0.3, 0.05}});
    probe.data = {{-2, -2, 0}, {2, 2, 0.1}};
    // under the cursor, and in the data
    const Vec3 there{-0.6, 0.5, 0.05};
    QVERIFY(near(dragged(probe, 0, there, map).positions[0], there, 0.01));
    QCOMPARE(dragged(probe, 0, there, map).positions[0].z, 0.05);
    Handle rake = make(HandleKind::Line, {{-0.5, 0, 0.05}, {0.5, 0, 0.05}});
    rake.data = probe.data;
    const Handle whole = dragged(rake, kMiddle, {0.3, 0.4, 0.05}, map);
    QVERIFY(near(whole.positions[0], {-0.2, 0.4, 0.05}, 0.01) &&
            near(whole.positions[1], {0.8, 0.4, 0.05}, 0.01));
    // along the axis that is wanted it leaves it, and comes back from outside
    QVERIFY(dragged(probe, 0, {0.2, -0.3, 0.6}, map, true).positions[0].z > 0.3);
    probe.positions[0].z = 0.5;
    QVERIFY(dragged(probe, 0, there, map).positions[0].z != 0.5);
    // nearly along the layer a pixel would be very far
    scene::Camera low;
    low.position = {4, 0, 0.2};
    low.up = {0, 0, 1};
    const ScreenMap along(low, 640, 480);
    probe.positions[0].z = 0.05;
    const HandleDrag drag(probe, 0, *along.project(probe.positions[0]), along);
    const ScreenPoint at = *along.project(probe.positions[0]);
    const Vec3 moved = drag.moved({at.x + 40, at.y - 200}).positions[0];
    QVERIFY(moved.z == 0.05 && length(moved - probe.positions[0]) < 2);
    // what is as thick as wide is as before
    probe.data.max.z = 2;
    QVERIFY(near(dragged(probe, 0, {0.2, 0.4, 0.3}, map).positions[0],
                 map.place(*map.project({0.2, 0.4, 0.3}), probe.positions[0]), 0.01));
  }

  void planesMoveAlongTheirNormal() {
    const ScreenMap map(slanted(), 640, 480);
    const Handle plane = make(HandleKind::Plane, {{0.1, 0, 0}, {2, 0, 0}});
    const Handle moved = dragged(plane, 0, {0.5, 0, 0}, map);
    QVERIFY(std::abs(moved.positions[0].y) < 1e-9 && std::abs(moved.positions[0].z) < 1e-9);
    QVERIFY2(std::abs(moved.positions[0].x - 0.5) < 0.05, qPrintable(QString::number(moved.positions[0].x)));
    QVERIFY(near(moved.positions[1], {2, 0, 0}));
    // With Shift freely, at the same depth.
    const Handle aside = dragged(plane, 0, {0.1, 0.5, 0}, map, true);
    QVERIFY(std::abs(map.depth(aside.positions[0]) - map.depth(plane.positions[0])) < map.pixelSize({}));
  }

  void planesStayInTheBox() {
    Bounds bounds;
    bounds.add(Vec3{-1, -1, -1});
    bounds.add(Vec3{1, 1, 1});
    const ScreenMap map(slanted(), 640, 480);
    for (const Vec3 normal : {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{-1, 2, 3}}) {
      const Handle plane = make(HandleKind::Plane, {{0, 0, 0}, normal}, bounds);
      for (const double way : {-3000.0, 3000.0}) {
        const HandleDrag drag(plane, 0, {320, 240}, map);
        const Handle moved = drag.moved({320 + way, 240 + 0.3 * way});
        QVERIFY(moved.positions[0] != plane.positions[0]);
        // Still cut: a polygon, not the small square of one outside, whose corners lie out there, too.
        for (const Vec3& corner : areaOf(moved, map))
          for (int axis = 0; axis < 3; ++axis) QVERIFY(std::abs(corner[axis]) < 1 + 1e-9);
        // Rounding does not put it onto the box.
        const Vec3 reach{std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
        QVERIFY(std::abs(dot(moved.positions[0], normal)) < dot(reach, {1, 1, 1}));
      }
    }
  }

  void whatWasMovedIsShortToRead() {
    const ScreenMap map(slanted(), 640, 480);
    const auto digits = [](double value) {
      return QString::number(value, 'g', 15).remove(QRegularExpression("^-?0?\\.?0*")).size();
    };
    for (const Handle& handle :
         {make(HandleKind::Point, {{0.1, 0.2, 0.3}}), make(HandleKind::Line, {{-0.5, 0, 0}, {0.5, 0.1, 0}}),
          make(HandleKind::Patch, {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}}),
          make(HandleKind::Plane, {{0, 0, 0}, {1, 2, 3}}),
          make(HandleKind::Box, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}})})
      for (const Knob& knob : knobsOf(handle, map)) {
        const ScreenPoint at = *map.project(knob.place);
        const Handle moved = HandleDrag(handle, knob.part, at, map).moved({at.x + 31.4159, at.y - 27.1828});
        for (const Vec3& place : moved.positions)
          for (int axis = 0; axis < 3; ++axis)
            QVERIFY2(digits(place[axis]) <= 5, qPrintable(QString::number(place[axis], 'g', 17)));
      }
    // Numbers that were long stay as long where the whole is moved: it keeps its shape.
    const Handle rake = make(HandleKind::Line, {{1.0 / 3, 0, 0}, {2.0 / 7, 0.1, 0}});
    const Handle moved = HandleDrag(rake, kMiddle, {320, 240}, map).moved({351.4, 212.7});
    QVERIFY(near(moved.positions[1] - moved.positions[0], rake.positions[1] - rake.positions[0], 1e-8));
  }

  void planesSeenFaceOnStillMove() {
    const ScreenMap map(front(false), 400, 400);
    const Handle plane = make(HandleKind::Plane, {{0, 0, 0}, {0, 0, 1}});
    const HandleDrag drag(plane, 0, {200, 200}, map);
    const double away = drag.moved({200, 150}).positions[0].z;  // upwards: away from the eye
    QVERIFY2(away < -0.05 && away > -1, qPrintable(QString::number(away)));
    QVERIFY(drag.moved({200, 250}).positions[0].z > 0.05);
  }

  void tipsTurnNormals() {
    const ScreenMap map(front(true), 400, 400);
    const Handle plane = make(HandleKind::Plane, {{0, 0, 0}, {0, 3, 0}});
    const Vec3 tip = knobPlace(plane, 1, map);
    QVERIFY(std::abs(length(tip) / map.pixelSize({}) - 70) < 1e-6 &&
            near((1 / length(tip)) * tip, {0, 1, 0}));
    const Handle turned = dragged(plane, 1, {length(tip), 0, 0}, map);
    QVERIFY(near(turned.positions[1], {1, 0, 0}) && near(turned.positions[0], {0, 0, 0}));
    // With Shift to the nearest axis.
    const Handle snapped = dragged(plane, 1, {0.3 * length(tip), -length(tip), 0}, map, true);
    QVERIFY(snapped.positions[1] == (Vec3{0, -1, 0}));
  }

  void facesOfABoxMoveAloneAndStopAtEachOther() {
    const ScreenMap map(slanted(), 640, 480);
    const Handle box = make(HandleKind::Box, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}});
    const Handle wider = dragged(box, 1, {0.8, 0, 0}, map);  // +x
    QVERIFY(near(wider.positions[0], {-0.5, -0.5, -0.5}));
    QVERIFY(std::abs(wider.positions[1].x - 0.8) < 0.05 && wider.positions[1].y == 0.5 &&
            wider.positions[1].z == 0.5);
    const Handle flat = dragged(box, 2, {0, 2, 0}, map);  // -y, past +y
    QVERIFY(flat.positions[0].y == 0.5 && flat.positions[1].y == 0.5);
    const Handle shifted = dragged(box, kMiddle, {0.2, 0.1, 0}, map);
    QVERIFY(near(shifted.positions[1] - shifted.positions[0], {1, 1, 1}));
  }

  void cornersOfAPatch() {
    const ScreenMap map(front(true), 400, 400);
    const Handle patch = make(HandleKind::Patch, {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}});
    QVERIFY(near(knobPlace(patch, kMiddle, map), {0.25, 0.25, 0}));
    QVERIFY(near(dragged(patch, 2, {0.1, 0.7, 0}, map).positions[2], {0.1, 0.7, 0}));
    QCOMPARE(outlineOf(patch, map).size(), std::size_t(4));
    QVERIFY((areaOf(patch, map) == std::vector<Vec3>{{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}}));
  }

  void nearestKnobIsHit() {
    const ScreenMap map(front(true), 400, 400);
    const std::vector<Handle> handles{make(HandleKind::Line, {{-0.5, 0, 0}, {0.5, 0, 0}}),
                                      make(HandleKind::Point, {{0.5, 0.05, 0}})};
    ScreenPoint at = *map.project({0.5, 0, 0});
    QCOMPARE(*hitHandle(handles, map, at, 10), (HandleHit{0, 1}));
    at = *map.project({0.5, 0.05, 0});
    QCOMPARE(*hitHandle(handles, map, at, 10), (HandleHit{1, 0}));
    // Beside a knob but on the edge: the whole.
    at = *map.project({-0.25, 0, 0});
    at.y += 3;
    QCOMPARE(*hitHandle(handles, map, at, 10), (HandleHit{0, kMiddle}));
    at.y += 8;
    QVERIFY(!hitHandle(handles, map, at, 10));
    QVERIFY(!hitHandle({}, map, at, 10));
  }

  void planesAreShownAsTheirCut() {
    Bounds bounds;
    bounds.add(Vec3{-1, -1, -1});
    bounds.add(Vec3{1, 1, 1});
    const ScreenMap map(slanted(), 640, 480);
    // Straight through: a rectangle and the normal. Through the corners: a hexagon.
    QCOMPARE(outlineOf(make(HandleKind::Plane, {{0, 0, 0.2}, {0, 0, 1}}, bounds), map).size(),
             std::size_t(5));
    const auto hexagon = outlineOf(make(HandleKind::Plane, {{0, 0, 0}, {1, 1, 1}}, bounds), map);
    QCOMPARE(hexagon.size(), std::size_t(7));
    for (std::size_t i = 0; i < 6; ++i) {
      QVERIFY(std::abs(dot(hexagon[i].first, {1, 1, 1})) < 1e-9);
      QVERIFY(std::abs(length(hexagon[i].first - hexagon[i].second) - std::sqrt(2)) < 1e-9);
      QVERIFY(near(hexagon[i].second, hexagon[(i + 1) % 6].first));
    }
    // Its rim can be taken hold of as well.
    const Handle flat = make(HandleKind::Plane, {{0, 0, 0.2}, {0, 0, 1}}, bounds);
    const ScreenPoint rim = *map.project({1, 0.5, 0.2});
    QCOMPARE(*hitHandle(std::vector{flat}, map, rim, 10), (HandleHit{0, 0}));
    QVERIFY(!hitHandle(std::vector{flat}, map, {rim.x + 40, rim.y}, 10));
    // Outside there is nothing to cut: a small square.
    QCOMPARE(outlineOf(make(HandleKind::Plane, {{0, 0, 5}, {0, 0, 1}}, bounds), map).size(), std::size_t(5));
  }

  void knobsOfPlanesAreWhereTheyAreSeen() {
    Bounds bounds;
    bounds.add(Vec3{-1, -1, -1});
    bounds.add(Vec3{1, 1, 1});
    QVERIFY(gripOf({0.3, 0.2, 0.1}, {0, 0, 1}, bounds) == (Vec3{0.3, 0.2, 0.1}));
    QVERIFY(near(gripOf({50, -30, 0.5}, {0, 0, 1}, bounds), {0, 0, 0.5}));
    QVERIFY(gripOf({0, 0, 7}, {0, 0, 1}, bounds) == (Vec3{0, 0, 7}));  // not seen anywhere
  }

  void senselessHandlesAreLeftAlone() {
    const ScreenMap map(slanted(), 640, 480);
    for (const Handle& handle :
         {make(HandleKind::Line, {{0, 0, 0}}), make(HandleKind::Point, {{NAN, 0, 0}}),
          make(HandleKind::Plane, {{0, 0, 0}, {0, 0, 0}}), make(HandleKind::Box, {})}) {
      QVERIFY(!isUsable(handle));
      QVERIFY(!hitHandle(std::vector{handle}, map, {320, 240}, 1000));
    }
  }
};

QTEST_APPLESS_MAIN(TestHandleDrag)
#include "tst_handle_drag.moc"
