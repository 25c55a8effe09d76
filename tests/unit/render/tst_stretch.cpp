// Axes that are stretched: the view is that of data that were written stretched, bit by bit the old one where nothing is, and what is
// pointed at, dragged and numbered stays in data coordinates.
#include <QTest>
#include <cmath>
#include <random>

#include "render/view/box_axes.h"
#include "render/view/box_order.h"
#include "render/view/camera_moves.h"
#include "render/view/handle_drag.h"
#include "render/view/pick_index.h"
#include "render/view/screen_map.h"
#include "render/view/view_transform.h"
#include "tests/image/scene_samples.h"

using namespace farfield;
using namespace farfield::view;

namespace {

constexpr int kWidth = 640, kHeight = 480;
constexpr double kAspect = double(kWidth) / kHeight;
const std::vector<Vec3> kStretches{{1, 1, 100}, {1, 1, 0.01}, {3, 1, 1e5}, {0.5, 2, 7}, {4, 4, 4}};

Bounds box(Vec3 min, Vec3 max) {
  Bounds bounds;
  bounds.add(min);
  bounds.add(max);
  return bounds;
}

/// What becomes a cube by it.
Bounds flatBox(Vec3 stretch) {
  return box(scene::unstretched(Vec3{1, 2, -1}, stretch), scene::unstretched(Vec3{5, 5, 3}, stretch));
}

scene::Camera cameraOf(Vec3 stretch, bool flat, Vec3 direction = {1, -1, 0.7}) {
  const Bounds bounds = flatBox(stretch);
  return flat ? scene::orthographicCameraFor(bounds, direction, {0, 0, 1}, kAspect, stretch)
              : scene::cameraFor(bounds, direction, {0, 0, 1}, kAspect, stretch);
}

scene::Camera unstretched(scene::Camera camera) {
  camera.stretch = scene::kUnstretched;
  return camera;
}

scene::Scene sceneOf(const scene::Camera& camera, const Bounds& bounds) {
  scene::Scene scene;
  scene.camera = camera;
  scene.bounds = bounds;
  return scene;
}

std::vector<Vec3> placesIn(const Bounds& bounds, int count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(0, 1);
  std::vector<Vec3> places;
  for (int n = 0; n < count; ++n) {
    Vec3 place;
    for (int axis = 0; axis < 3; ++axis)
      place[axis] = bounds.min[axis] + part(random) * (bounds.max[axis] - bounds.min[axis]);
    places.push_back(place);
  }
  return places;
}

/// Clip coordinates of a local place, divided.
Vec3 drawnAt(const ViewTransform& view, Vec3 place) {
  const auto apply = [](const Matrix4& m, const std::array<double, 4>& v) {
    std::array<double, 4> out{};
    for (std::size_t row = 0; row < 4; ++row)
      for (std::size_t column = 0; column < 4; ++column) out[row] += double(m[4 * column + row]) * v[column];
    return out;
  };
  const auto local = view.frame().local(place.x, place.y, place.z);
  const auto clip =
      apply(view.projection(0, kHeight), apply(view.modelView(), {local[0], local[1], local[2], 1}));
  return {clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3]};
}

double away(const std::optional<ScreenPoint>& a, const std::optional<ScreenPoint>& b) {
  return a && b ? std::hypot(a->x - b->x, a->y - b->y) : INFINITY;
}

}  // namespace

class TestStretch : public QObject {
  Q_OBJECT
 private slots:
  void withoutStretchBitsAreTheOldOnes() {
    const Bounds bounds = box({1e5 + 0.1, -3.3, 7}, {1e5 + 9.7, 2.1, 7.7});
    for (const bool flat : {false, true}) {
      const scene::Camera camera = flat ? scene::orthographicCameraFor(bounds, {1, 2, 3}, {0, 0, 1}, kAspect)
                                        : scene::cameraFor(bounds, {1, 2, 3}, {0, 0, 1}, kAspect);
      const ViewTransform view(sceneOf(camera, bounds), kWidth, kHeight);
      // As it was before there was a stretch.
      const double factor = 1 / (0.5 * bounds.diagonal());
      const auto [right, up, back] = scene::axesOf(camera);
      const Vec3 axes[3] = {right, up, back}, eye = factor * (camera.position - bounds.center());
      Matrix4 wanted{};
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) wanted[4 * column + row] = float(axes[row][column]);
        wanted[12 + row] = float(-dot(axes[row], eye));
      }
      wanted[15] = 1;
      QVERIFY(view.modelView() == wanted && view.turn() == wanted);
      QVERIFY(view.axisScale() == scene::kUnstretched);
      QCOMPARE(view.frame().factor, factor);
      for (const Vec3& place : placesIn(bounds, 20)) {
        QVERIFY(scene::stretched(place, camera.stretch) == place);
        QVERIFY(scene::unstretched(place, camera.stretch) == place);
      }
    }
  }

  void theViewIsThatOfStretchedData() {
    for (const Vec3& stretch : kStretches)
      for (const bool flat : {false, true}) {
        const Bounds bounds = flatBox(stretch);
        const scene::Camera camera = cameraOf(stretch, flat);
        const ViewTransform here(sceneOf(camera, bounds), kWidth, kHeight);
        const ViewTransform there(sceneOf(unstretched(camera), scene::stretched(bounds, stretch)), kWidth,
                                  kHeight);
        const ScreenMap map(camera, kWidth, kHeight), other(unstretched(camera), kWidth, kHeight);
        for (const Vec3& place : placesIn(bounds, 50)) {
          const Vec3 seen = scene::stretched(place, stretch);
          const Vec3 a = drawnAt(here, place), b = drawnAt(there, seen);
          QVERIFY2(length(a - b) < 2e-5, qPrintable(QString::number(length(a - b))));
          QVERIFY(away(map.project(place), other.project(seen)) < 1e-6);
          QVERIFY(std::abs(map.depth(place) - other.depth(seen)) < 1e-9);
          // There and back.
          const Vec3 back = map.place(*map.project(place), place);
          QVERIFY(length(scene::stretched(back - place, stretch)) < 1e-9);
          const Ray ray = map.ray(*map.project(place));
          QVERIFY(away(map.project(ray.at(0.7 * map.depth(place))), map.project(place)) < 1e-6);
        }
        for (const auto& [x, y] : {std::pair(3, 400), {320, 240}, {600, 20}})
          for (const float depth : {0.1f, 0.6f, 0.99f})
            QVERIFY(std::abs(here.distanceTo(x, y, depth) / there.distanceTo(x, y, depth) - 1) < 1e-12);
        // What is cut is cut at the same place.
        const scene::ClipPlane plane{bounds.center(), scene::stretched(Vec3{1, 2, -1}, stretch)};
        const auto p = here.inCamera(plane);
        const auto q = there.inCamera({scene::stretched(plane.origin, stretch), {1, 2, -1}});
        for (std::size_t n = 0; n < 4; ++n) QVERIFY(std::abs(p[n] - q[n]) < 1e-5);
      }
  }

  /// A slice that lies in the plane of a cut is whole, as numbers of shaders have it; a little behind nothing is left.
  void whatLiesInACutIsKept() {
    for (const Vec3& stretch : kStretches)
      for (const bool flat : {false, true})
        for (int axis = 0; axis < 3; ++axis) {
          const Bounds bounds = flatBox(stretch);
          const ViewTransform view(sceneOf(cameraOf(stretch, flat), bounds), kWidth, kHeight);
          scene::ClipPlane plane{bounds.center(), {0, 0, 0}};
          plane.normal[axis] = 1;
          const ClipUniforms uniforms = clipUniforms({.box = {}, .planes = {plane}}, view);
          const auto isKept = [&](Vec3 place) {
            const auto local = view.frame().local(place.x, place.y, place.z);
            float sum = uniforms[0][3];
            for (std::size_t row = 0; row < 3; ++row) {
              float at = view.modelView()[12 + row];
              for (std::size_t column = 0; column < 3; ++column)
                at += view.modelView()[4 * column + row] * local[column];
              sum += uniforms[0][row] * at;
            }
            return sum >= 0;
          };
          for (Vec3 place : placesIn(bounds, 200)) {
            place[axis] = plane.origin[axis];
            QVERIFY(isKept(place));
            place[axis] -= 1e-3 * (bounds.max[axis] - bounds.min[axis]);
            QVERIFY(!isKept(place));
          }
        }
  }

  void boxesAreInTheirOrder() {
    // Behind one another along z as they are seen, beside one another along x: which of both decides follows from the eye.
    const Vec3 stretch{1, 1, 100};
    std::vector<Bounds> boxes;
    for (const double z : {0.0, 0.012, 0.024}) boxes.push_back(box({0, 0, z}, {1, 1, z + 0.01}));
    scene::Camera camera;
    camera.stretch = stretch;
    camera.position = {0.5, 0.5, 9};
    camera.target = {0.5, 0.5, 1.5};
    QCOMPARE(frontToBack(boxes, camera), (std::vector<std::size_t>{2, 1, 0}));
    camera.position.z = 1.1;  // between the first and the second
    camera.target.z = -5;
    QCOMPARE(frontToBack(boxes, camera).front(), std::size_t{0});
  }

  void whatIsUnderTheCursorIsFoundInData() {
    for (const Vec3& stretch : kStretches)
      for (const bool flat : {false, true}) {
        const Bounds bounds = flatBox(stretch);
        const ScreenMap map(cameraOf(stretch, flat), kWidth, kHeight);
        const LocalFrame frame{bounds.center(), 1 / (0.5 * bounds.diagonal())};
        test::Triangles surface;
        const Vec3 a = bounds.min, b{bounds.max.x, bounds.min.y, bounds.max.z}, c = bounds.max;
        for (const Vec3& p : {a, b, c}) surface.points.insert(surface.points.end(), {p.x, p.y, p.z});
        surface.triangles = {0, 1, 2};
        VertexArrays arrays;
        arrays.set(scene::TriangleChunk{surface.points, {}, {}, surface.triangles}, {}, frame);
        const PickIndex index(PickIndex::Kind::Triangles, arrays.vertices, arrays.indices, frame, nullptr);
        const Vec3 wanted = 0.2 * a + 0.3 * b + 0.5 * c;
        const auto hit = index.pick(map, *map.project(wanted), 0);
        QVERIFY(hit);
        QVERIFY2(length(scene::stretched(hit->place - wanted, stretch)) < 1e-4,
                 qPrintable(QString::number(length(scene::stretched(hit->place - wanted, stretch)))));
        QVERIFY(std::abs(hit->depth - map.depth(wanted)) < 1e-4);
        test::Lines line;
        line.add({a, b});
        arrays.set(scene::LineChunk{line.points, {}, line.lengths}, {}, frame);
        const PickIndex lines(PickIndex::Kind::Lines, arrays.vertices, arrays.indices, frame, nullptr);
        const Vec3 middle = 0.5 * (a + b);
        const auto near = lines.pick(map, *map.project(middle), 2);
        QVERIFY(near && length(scene::stretched(near->place - middle, stretch)) < 1e-3);
      }
  }

  void handlesFollowTheCursor() {
    for (const Vec3& stretch : kStretches)
      for (const bool flat : {false, true}) {
        const Bounds bounds = flatBox(stretch);
        const ScreenMap map(cameraOf(stretch, flat), kWidth, kHeight);
        const Vec3 middle = bounds.center(), quarter = 0.75 * bounds.min + 0.25 * bounds.max;
        const std::vector<Handle> handles{
            {.id = "point", .kind = HandleKind::Point, .positions = {middle}},
            {.id = "rake", .kind = HandleKind::Line, .positions = {quarter, middle}},
            {.id = "box", .kind = HandleKind::Box, .positions = {quarter, middle}},
            {.id = "plane", .kind = HandleKind::Plane, .positions = {middle, {0, 0, 2}}, .box = bounds},
            {.id = "tilted",
             .kind = HandleKind::Plane,
             .positions = {middle, scene::stretched(Vec3{1, 0.5, 1}, stretch)},
             .box = bounds}};
        for (const Handle& handle : handles)
          for (const Knob& knob : knobsOf(handle, map)) {
            const ScreenPoint at = *map.project(knob.place);
            const auto hit = hitHandle(std::span(&handle, 1), map, at, 5);
            QVERIFY(hit);
            const HandleDrag drag(handle, knob.part, at, map);
            QVERIFY(drag.moved(at).positions == handle.positions);  // not by a bit
            const bool free =
                handle.kind == HandleKind::Point || handle.kind == HandleKind::Line || knob.part == kMiddle;
            const Handle moved = drag.moved({at.x + 17, at.y - 12});
            QVERIFY(isUsable(moved) && moved.positions != handle.positions);
            if (!free) continue;
            for (const Knob& now : knobsOf(moved, map))
              if (now.part == knob.part)
                QVERIFY(away(map.project(now.place), ScreenPoint{at.x + 17, at.y - 12}) < 1.5);
          }
        // Along its normal, and upright: the numbers of the other axes stay.
        const Handle& plane = handles[3];
        const ScreenPoint from = *map.project(middle);
        const Vec3 aim{middle.x, middle.y, middle.z + 0.3 / stretch.z};
        const Handle up = HandleDrag(plane, 0, from, map).moved(*map.project(aim));
        QCOMPARE(up.positions[0].x, middle.x);
        QCOMPARE(up.positions[0].y, middle.y);
        QVERIFY(std::abs(up.positions[0].z - aim.z) * stretch.z < 0.1);
        QVERIFY(up.positions[1] == plane.positions[1]);
        // The normal that is seen is upright on the plane that is seen.
        const Handle& tilted = handles[4];
        const std::vector<Knob> knobs = knobsOf(tilted, map);
        const Vec3 seen = scene::stretched(knobs[1].place - knobs[0].place, stretch);
        for (const Vec3& corner : areaOf(tilted, map))
          QVERIFY(std::abs(dot(seen, scene::stretched(corner - middle, stretch))) < 1e-6 * length(seen));
        // Its tip goes where it is dragged to.
        const Vec3 tip = knobs[1].place;
        const HandleDrag turn(tilted, 1, *map.project(tip), map);
        const ScreenPoint wanted{map.project(tip)->x + 25, map.project(tip)->y + 10};
        const Handle turned = turn.moved(wanted);
        const ScreenPoint now = *map.project(knobsOf(turned, map)[1].place), root = *map.project(middle);
        const double angle =
            std::atan2(now.y - root.y, now.x - root.x) - std::atan2(wanted.y - root.y, wanted.x - root.x);
        QVERIFY2(std::abs(std::sin(angle)) < 0.05, qPrintable(QString::number(angle)));
        // To a place of the data.
        const Handle there = HandleDrag(handles[0], 0, from, map).movedTo(quarter);
        QVERIFY(length(scene::stretched(there.positions[0] - quarter, stretch)) < 1e-12);
      }
  }

  void theCameraMovesAsBefore() {
    const ScreenPoint from{300, 200}, to{340, 170};
    for (const Vec3& stretch : kStretches)
      for (const bool flat : {false, true}) {
        const Bounds bounds = flatBox(stretch);
        const scene::Camera camera = cameraOf(stretch, flat);
        const ScreenMap map(camera, kWidth, kHeight);
        const Vec3 target = scene::unstretched(camera.target, stretch);
        const Vec3 held = map.place(from, target);
        const scene::Camera panned = view::panned(camera, from, to, kWidth, kHeight);
        QVERIFY(away(ScreenMap(panned, kWidth, kHeight).project(held), to) < 1e-6);
        const scene::Camera zoomed = view::zoomed(camera, 2, from, kWidth, kHeight);
        QVERIFY(away(ScreenMap(zoomed, kWidth, kHeight).project(held), from) < 1e-6);
        const scene::Camera centered = centeredOn(camera, bounds.min);
        QVERIFY(away(ScreenMap(centered, kWidth, kHeight).project(bounds.min),
                     ScreenPoint{kWidth / 2.0, kHeight / 2.0}) < 1e-6);
        QVERIFY(fitted(panned, bounds, {1, -1, 0.7}, {0, 0, 1}, kAspect) == camera);
        for (const scene::Camera& each : {panned, zoomed, centered, rotated(camera, 0.2, 0.1),
                                          turned(camera, {0, 0, 1}, 0.2, 0.1), withProjection(camera, !flat)})
          QVERIFY(each.stretch == stretch);
      }
  }

  void stretchingGlidesThroughTheData() {
    const Bounds bounds = box({0, 0, 0}, {100, 50, 0.5});
    for (const bool flat : {false, true}) {
      scene::Camera camera = flat ? scene::orthographicCameraFor(bounds, {1, -1, 0.7}, {0, 0, 1}, kAspect)
                                  : scene::cameraFor(bounds, {1, -1, 0.7}, {0, 0, 1}, kAspect);
      const scene::Camera high = withStretch(camera, {1, 1, 100}, bounds);
      QVERIFY((high.stretch == Vec3{1, 1, 100}));
      // Along the axes in which it looks into the data it looks at the same place, and beside them as far.
      QCOMPARE(high.target.x, camera.target.x);
      QCOMPARE(high.target.y, camera.target.y);
      scene::Camera inside = centeredOn(camera, {30, 20, 0.1});
      const scene::Camera there = withStretch(inside, {1, 1, 100}, bounds);
      QVERIFY(length(scene::unstretched(there.target, there.stretch) - Vec3{30, 20, 0.1}) < 1e-9);
      QVERIFY(
          length(scene::unstretched(between(inside, there, 0.4).target, between(inside, there, 0.4).stretch) -
                 Vec3{30, 20, 0.1}) < 1e-9);
      for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const scene::Camera way = between(camera, high, t);
        QVERIFY(std::abs(way.stretch.z / std::pow(100, t) - 1) < 1e-9);
        const auto middle = ScreenMap(way, kWidth, kHeight).project(bounds.center());
        QVERIFY(middle && middle->x > 0 && middle->x < kWidth && middle->y > 0 && middle->y < kHeight);
      }
      QVERIFY(between(camera, high, 1) == high);
      // And back, as if nothing had been.
      const scene::Camera back = withStretch(high, scene::kUnstretched, bounds);
      QVERIFY(length(back.position - camera.position) < 1e-9 * length(camera.position));
      QVERIFY(withStretch(camera, {1, 0, 1}, bounds) == camera);
    }
  }

  void whatCannotBeDrawnWithIsNotUsable() {
    scene::Camera camera = cameraOf({1, 1, 1}, false);
    QVERIFY(isUsable(camera));
    for (const double bad : {0.0, -1.0, std::nan(""), double(INFINITY), 1e-10, 1e10}) {
      camera.stretch = {1, bad, 1};
      QVERIFY(!isUsable(camera));
      QVERIFY(!scene::isUsableStretch(camera.stretch));
    }
  }

  void theStretchThatFillsTheView() {
    QVERIFY((scene::fillingStretch(box({0, 0, 0}, {1000, 800, 2})) == Vec3{1, 1, 500}));
    QVERIFY((scene::fillingStretch(box({-180, -90, -5.5}, {180, 90, 0})) == Vec3{1, 1, 70}));
    QVERIFY((scene::fillingStretch(box({0, 0, 3}, {1, 0.9, 3})) == Vec3{1, 1, 1}));
    // Asked for, what is a little shorter is made as long, too.
    QVERIFY((scene::fillingStretch(box({-10, 0, 0}, {12, 8, 5.7})) == Vec3{1, 1, 1}));
    QVERIFY((scene::fillingStretch(box({-10, 0, 0}, {12, 8, 5.7}), 1) == Vec3{1, 3, 4}));
    QVERIFY((scene::fillingStretch(box({0, 0, 0}, {1, 1, 1}), 1) == Vec3{1, 1, 1}));
    // Nor is what rounding has left of a sheet an axis.
    QVERIFY((scene::fillingStretch(box({0, -90, -1e-13}, {360, 90, 1e-13})) == Vec3{1, 1, 1}));
    // A map below a tall axis stays a map: depths of an ocean in metres over degrees.
    QVERIFY((scene::fillingStretch(box({20.5, -89.5, 0}, {379.5, 89.5, 5000})) == Vec3{1, 1, 0.04}));
    QVERIFY((scene::fillingStretch(box({0, 0, 0}, {3, 1000, 2})) == Vec3{1, 0.002, 1}));
    QVERIFY(scene::isUsableStretch(scene::fillingStretch(box({0, 0, 0}, {1, 1, 1e300}))));
    QVERIFY(scene::fillingStretch({}) == scene::kUnstretched);
    QVERIFY(scene::isUsableStretch(scene::fillingStretch(box({0, 0, 0}, {1e300, 1, 1e-300}))));
  }

  void axesSayHowFarTheyAreStretched() {
    const Bounds bounds = box({0, 0, 0}, {10, 10, 0.1});
    const auto namesOf = [&](Vec3 stretch) {
      const BoxAxes axes = boxAxes(
          bounds, scene::cameraFor(bounds, {1, -1, 0.7}, {0, 0, 1}, kAspect, stretch), kWidth, kHeight, 12);
      QStringList names;
      for (const AxisLabel& label : axes.labels)
        if (std::isalpha(static_cast<unsigned char>(label.text[0])))
          names.append(QString::fromStdString(label.text));
      names.sort();
      return names;
    };
    const QStringList stretched = namesOf({1, 1, 100});
    QCOMPARE(stretched.size(), 3);
    QCOMPARE(stretched[0], QString("x"));
    QCOMPARE(stretched[1], QString("y"));
    QVERIFY2(stretched[2].startsWith("z") && stretched[2].endsWith(" 100:1"), qPrintable(stretched[2]));
    QVERIFY(!namesOf({2, 2, 2}).join(' ').contains(":1"));
    // Whole in the picture, however little room there is beside the axis.
    for (const int width : {260, 400, 640})
      for (const Vec3 from : {Vec3{1, -1, 0.7}, {-1, -0.2, 0.1}, {0.1, -1, 0.3}}) {
        const scene::Camera camera =
            view::panned(scene::cameraFor(bounds, from, {0, 0, 1}, double(width) / kHeight, {1, 1, 100}),
                         {30, 0}, {0, 0}, width, kHeight);
        for (const AxisLabel& label : boxAxes(bounds, camera, width, kHeight, 12).labels)
          if (label.text.find(":1") != std::string::npos) {
            const double half = 0.3 * 12 * double(label.text.size());
            QVERIFY2(label.place[0] >= half && label.place[0] <= width - half,
                     qPrintable(QString::number(label.place[0])));
          }
      }
    // Apart from a legend, as which's name or number it would be read; no number lies on one.
    constexpr int kWide = 900;  // beside the axis there is room
    for (const Vec3 from : {Vec3{1, -1, 0.7}, {0.1, -1, 0.3}, {1, -0.2, 0.1}}) {
      const scene::Camera camera = scene::cameraFor(bounds, from, {0, 0, 1}, kAspect, {1, 1, 100});
      const auto stretchedIn = [](const BoxAxes& axes) {
        return *std::find_if(axes.labels.begin(), axes.labels.end(), [](const AxisLabel& label) {
          return label.text.find(":1") != std::string::npos;
        });
      };
      const AxisLabel free = stretchedIn(boxAxes(bounds, camera, kWide, kHeight, 12));
      const double half = 0.32 * 12 * double(free.text.size());
      for (const double beside : {-0.5 * half, half + 2}) {
        const PixelRect legend{{free.place[0] + beside, 20}, {90, kHeight - 40}};
        const BoxAxes axes = boxAxes(bounds, camera, kWide, kHeight, 12, {&legend, 1});
        const AxisLabel moved = stretchedIn(axes);
        QVERIFY2(moved.place != free.place,
                 qPrintable(QString("%1, %2; %3").arg(free.place[0]).arg(free.place[1]).arg(beside)));
        for (const AxisLabel& label : axes.labels) {
          const bool isName = std::isalpha(static_cast<unsigned char>(label.text[0]));
          QVERIFY(isName || label.place[0] < legend.corner[0] ||
                  label.place[0] > legend.corner[0] + legend.size[0] || label.place[1] < legend.corner[1] ||
                  label.place[1] > legend.corner[1] + legend.size[1]);
        }
      }
    }
    // Numbers are the data's, at stretched places.
    const scene::Camera side =
        scene::orthographicCameraFor(bounds, {0, -1, 0}, {0, 0, 1}, kAspect, {1, 1, 100});
    const BoxAxes axes = boxAxes(bounds, side, kWidth, kHeight, 12);
    const ScreenMap map(side, kWidth, kHeight);
    int found = 0;
    for (const AxisLabel& label : axes.labels) {
      char* end = nullptr;
      const double value = std::strtod(label.text.c_str(), &end);
      if (*end != '\0') continue;
      // of the axis that goes up
      const auto at = map.project({0, 0, value});
      if (at && std::abs(at->y - label.place[1]) < 1 && value <= 0.1) ++found;
    }
    QVERIFY2(found >= 3, qPrintable(QString::number(found)));
  }

  void theBarIsTrueAlongTheAxesThatItNames() {
    const Bounds bounds = box({0, 0, 0}, {10, 10, 0.1});
    const auto barOf = [&](Vec3 direction, Vec3 up, Vec3 stretch) {
      return *scaleBar(scene::orthographicCameraFor(bounds, direction, up, kAspect, stretch), kWidth,
                       kHeight);
    };
    // The width of a view with z up runs along x and y, whatever z does.
    const ScaleBar plain = barOf({1, -1, 0.7}, {0, 0, 1}, {1, 1, 1}),
                   high = barOf({1, -1, 0.7}, {0, 0, 1}, {1, 1, 100});
    QVERIFY(plain.text.find("(") == std::string::npos);
    QVERIFY2(high.text.ends_with(" (x, y)"), high.text.c_str());
    // So long is what it says.
    const scene::Camera camera =
        scene::orthographicCameraFor(bounds, {0, -1, 0}, {0, 0, 1}, kAspect, {7, 1, 100});
    const ScaleBar along = *scaleBar(camera, kWidth, kHeight);
    QVERIFY2(along.text.ends_with(" (x)"), along.text.c_str());
    const ScreenMap map(camera, kWidth, kHeight);
    const double said = std::stod(along.text);
    const auto a = map.project({0, 0, 0}), b = map.project({said, 0, 0});
    QVERIFY(std::abs(b->x - a->x - along.pixels) < 1e-6);
    // Where the width runs along axes that are stretched differently there is none, and why.
    const ScaleBar none = barOf({1, -1, 0.7}, {0, 0, 1}, {7, 1, 100});
    QCOMPARE(none.pixels, 0.0);
    QVERIFY(none.text.find("stretched") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestStretch)
#include "tst_stretch.moc"
