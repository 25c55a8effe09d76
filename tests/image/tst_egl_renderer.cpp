// Pictures made with no display, against what they must show.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <thread>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/base/told_progress.h"
#include "render/color/color_map.h"
#include "render/color/legend.h"
#include "render/egl/egl_renderer.h"
#include "tests/image/egl_pictures.h"
#include "tests/image/pixels.h"
#include "tests/image/scene_samples.h"

using namespace farfield;
using namespace farfield::test;
using color::Image;
using scene::Scene;

namespace {

// How much of a column is covered by black on white: the width of a horizontal line in pixels.
double coveredInColumn(const Image& image, int x) {
  double covered = 0;
  for (int y = 0; y < image.height(); ++y) covered += 1 - image.pixel(x, y)[1] / 255.0;
  return covered;
}

std::shared_ptr<Lines> helix(int count, int vertices, double radius, Vec3 center = {}) {
  auto lines = std::make_shared<Lines>();
  for (int i = 0; i < count; ++i) {
    std::vector<Vec3> line;
    std::vector<double> values;
    for (int k = 0; k < vertices; ++k) {
      const double t = double(k) / (vertices - 1), a = 20 * t + i;
      line.push_back(center + radius * Vec3{0.8 * std::cos(a), 0.8 * std::sin(a), 2 * t - 1});
      values.push_back(t);
    }
    lines->add(line, values);
  }
  return lines;
}

}  // namespace

class TestEglRenderer : public QObject, private EglPictures {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (const std::string why = begin(); !why.empty()) QSKIP(why.c_str());
    qInfo("%s", m_renderer->driver().c_str());
  }

  void backgroundIsExact() {
    Scene scene = flatScene();
    for (const Rgba& color : {Rgba{1, 1, 1, 1}, Rgba{0.2f, 0.4f, 0.6f, 1}, Rgba{0, 0, 0, 0}}) {
      scene.background = color;
      const Image image = render(scene, 33, 17);
      for (int y = 0; y < 17; ++y)
        for (int x = 0; x < 33; ++x) COMPARE_PIXEL(image, x, y, color, 0);
    }
  }

  /// Four dashes, each thin where it begins and as wide as the line at its front.
  void dashesSwell() {
    Scene scene = flatScene();
    auto line = std::make_shared<Lines>();
    line->add({{-0.8, 0, 0}, {0.8, 0, 0}});
    line->phases = {0, 4};
    scene.items = {plain(line, {0, 0, 0, 1}, 20)};
    QVERIFY(coveredInColumn(render(scene), 53) > 18);
    scene.items[0].dashed = true;
    const Image image = render(scene);
    for (int dash = 0; dash < 4; ++dash) {
      const int begin = 20 + 40 * dash;
      const double thin = coveredInColumn(image, begin + 3), wide = coveredInColumn(image, begin + 24);
      QVERIFY2(thin > 4 && thin < 12, std::to_string(thin).c_str());
      QVERIFY2(wide > 17, std::to_string(wide).c_str());
      QCOMPARE(coveredInColumn(image, begin + 33), 0.0);
    }
    // Dashes of less than some pixels are a line.
    line->phases = {0, 200};
    QVERIFY(coveredInColumn(render(scene), 53) > 18);
  }

  /// Round, of their radius, where phases are whole numbers; moving on by a phase, and the line is not seen.
  void particlesStandWhereTheyShould() {
    Scene scene = flatScene();
    auto line = std::make_shared<Lines>();
    line->add({{-0.9, 0, 0}, {-0.4, 0, 0}, {0.1, 0, 0}, {0.6, 0, 0}});
    line->phases = {-0.5, 0, 0.5, 1};  // one at -0.4; that at 0.6 would be of what comes after
    line->radii = {0.1, 0.1, 0.2, 0.3};
    scene.items = {plain(line, {0, 0, 0, 1}, 3)};
    scene.items[0].particles = true;
    for (const bool orthographic : {true, false}) {
      scene.camera.orthographic = orthographic;
      for (const double phase : {0.0, 0.25, 0.375, 3.125}) {
        scene.phase = phase;
        const Image image = render(scene);
        const double x = -0.4 + phase - std::floor(phase), radius = 0.18 + 0.2 * x;
        const double scale =
            orthographic
                ? 100
                : 100 / (5 * std::tan(0.5 * scene.camera.fieldOfViewDegrees * std::numbers::pi / 180));
        double covered = 0, middle = 0, height = 0;
        for (int row = 0; row < 200; ++row)
          for (int column = 0; column < 200; ++column) {
            const double here = 1 - image.pixel(column, row)[1] / 255.0;
            covered += here;
            middle += here * (column + 0.5);
            height += here * (row + 0.5);
          }
        const double area = std::numbers::pi * std::pow(radius * scale, 2);
        const auto told = std::to_string(phase) + ": " + std::to_string(covered) + " of " +
                          std::to_string(area) + " at " + std::to_string(middle / covered);
        QVERIFY2(std::abs(covered / area - 0.97) < 0.05,
                 told.c_str());  // a polygon of 16 corners has 0.974 of the circle
        QVERIFY2(std::abs(middle / covered - (100 + scale * x)) < 0.3, told.c_str());
        QVERIFY(std::abs(height / covered - 100) < 0.3);
      }
    }
    // Cut away whole by its middle; too small ones are still seen; none has no size.
    scene.camera.orthographic = true;
    scene.phase = 0;
    scene.clip.planes = {{{-0.45, 0, 0}, {1, 0, 0}}};
    QVERIFY(coveredInColumn(render(scene), 52) > 10);
    scene.clip.planes = {{{-0.35, 0, 0}, {1, 0, 0}}};
    QCOMPARE(coveredInColumn(render(scene), 60), 0.0);
    scene.clip = {};
    line->radii = {1e-5, 1e-5, 1e-5, 1e-5};
    const Image tiny = render(scene);
    QVERIFY(coveredInColumn(tiny, 59) + coveredInColumn(tiny, 60) > 0.5);
    line->radii = {0, 0, 0, 0};
    QCOMPARE(coveredInColumn(render(scene), 60), 0.0);
    // Light that falls on a sphere: lighter in its middle than at its rim.
    line->radii = {0.2, 0.2, 0.2, 0.2};
    scene.items[0].color = {0.8f, 0.8f, 0.8f, 1};
    scene.items[0].lighting = scene::Lighting::Soft;
    const Image lit = render(scene);
    QVERIFY(lit.pixel(60, 100)[0] > lit.pixel(60 + 18, 100)[0] + 40);
  }

  void particlesAreSeenThroughOneAnother() {
    Scene scene = flatScene();
    scene.items = {};
    for (const double z : {0.5, -0.5}) {
      auto line = std::make_shared<Lines>();
      line->add({{-0.5, 0, z}, {0.5, 0, z}});
      line->phases = {-0.5, 0.5};
      line->radii = {0.3, 0.3};
      scene.items.push_back(plain(line, z > 0 ? kRed : kBlue, 1));
      scene.items.back().particles = true;
      scene.items.back().opacity = z > 0 ? 0.5 : 1;
    }
    COMPARE_PIXEL(render(scene), 100, 100, (Rgba{0.5f, 0, 0.5f, 1}), 2);
  }

  void triangleIsWhereItShouldBe() {
    Scene scene = flatScene();
    auto triangle = std::make_shared<Triangles>();
    triangle->points = {-0.5, -0.5, 0,   0.5, -0.5,
                        0,    -0.5, 0.5, 0};  // the corner at the upper right is missing
    triangle->normals = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    triangle->triangles = {0, 1, 2};
    scene.items = {plain(triangle, kRed)};
    const Image image = render(scene);
    COMPARE_PIXEL(image, 70, 130, kRed, 0);
    COMPARE_PIXEL(image, 130, 70, (Rgba{1, 1, 1, 1}), 0);
    COMPARE_PIXEL(image, 40, 130, (Rgba{1, 1, 1, 1}), 0);
    COMPARE_PIXEL(image, 70, 160, (Rgba{1, 1, 1, 1}), 0);
  }

  void nearerHidesFarther() {
    for (const bool orthographic : {true, false}) {
      Scene scene = flatScene();
      scene.camera.orthographic = orthographic;
      scene.items = {plain(square(0.5, 0.5), kRed), plain(square(0.9, -0.5), kGreen),
                     plain(square(0.3, 0), kBlue)};
      Image image = render(scene);
      COMPARE_PIXEL(image, 100, 100, kRed, 0);
      COMPARE_PIXEL(image, 100, 40, kGreen, 0);
      scene.camera.position = {0, 0, -5};
      image = render(scene);
      COMPARE_PIXEL(image, 100, 100, kGreen, 0);
    }
  }

  void transparentThingsAreInTheirTrueOrder() {
    // Given in the wrong order, and two of them in one item.
    Scene scene = flatScene();
    auto both = square(0.8, -0.2);
    const auto front = square(0.8, 0.6);
    both->points.insert(both->points.begin(), front->points.begin(), front->points.end());
    both->normals.insert(both->normals.begin(), front->normals.begin(), front->normals.end());
    both->triangles = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    scene.items = {plain(both, kRed), plain(square(0.8, 0.2), kGreen), plain(square(0.9, -0.6), kBlue)};
    scene.items[0].opacity = 0.5;
    scene.items[1].opacity = 0.5;
    // red over green over red over blue, half each
    const Rgba expected{0.5f + 0.125f, 0.25f, 0.125f, 1};
    COMPARE_PIXEL(render(scene), 100, 100, expected, 3);
    std::swap(scene.items[0], scene.items[1]);
    COMPARE_PIXEL(render(scene), 100, 100, expected, 3);
    egl::EglRenderer simple({.samples = 1});
    QVERIFY(near(simple.render(scene, 200, 200).pixel(100, 100), expected, 3));
    scene.camera.position = {0, 0, -5};  // from behind, blue hides all
    COMPARE_PIXEL(render(scene), 100, 100, kBlue, 0);
  }

  void transparentPictureHasPlainColors() {
    Scene scene = flatScene();
    scene.background = {0, 0, 0, 0};
    scene.items = {plain(square(0.5, 0), {1, 0.5f, 0, 1})};
    scene.items[0].opacity = 0.5;
    const Image image = render(scene);
    COMPARE_PIXEL(image, 100, 100, (Rgba{1, 0.5f, 0, 0.5f}), 2);
    COMPARE_PIXEL(image, 5, 5, (Rgba{0, 0, 0, 0}), 0);
  }

  void invisibleItemsAreNotDrawn() {
    Scene scene = flatScene();
    scene.items = {plain(square(0.5, 0), kRed)};
    scene.items[0].opacity = 0;
    COMPARE_PIXEL(render(scene), 100, 100, (Rgba{1, 1, 1, 1}), 0);
  }

  void linesAreAsWideAsAsked() {
    Scene scene = flatScene();
    auto line = std::make_shared<Lines>();
    line->add({{-1, 0.13, 0}, {0, 0.13, 0}, {1, 0.13, 0}});
    for (const double width : {1.0, 1.5, 2.0, 3.0, 8.0})
      for (const int size : {200, 500}) {
        scene.items = {plain(line, {0, 0, 0, 1}, width)};
        const Image image = render(scene, size, size);
        double mean = 0;
        for (int x = 10; x < 60; ++x) mean += coveredInColumn(image, x) / 50;
        QVERIFY2(std::abs(mean - width) <= 0.5,
                 qPrintable(QString("%1 wanted, %2 drawn").arg(width).arg(mean)));
      }
    // On the average over many places the width is right to a tenth of a pixel.
    for (const bool orthographic : {true, false}) {
      auto slanted = std::make_shared<Lines>();
      slanted->add({{-1, -0.31, 0}, {1, 0.27, 0}});
      scene.camera.orthographic = orthographic;
      scene.items = {plain(slanted, {0, 0, 0, 1}, 2)};
      const Image image = render(scene, 300, 300);
      double mean = 0;
      for (int x = 50; x < 250; ++x) mean += coveredInColumn(image, x) / 200;
      const double along = std::cos(std::atan(0.29));
      QVERIFY2(std::abs(mean * along - 2) < 0.1, qPrintable(QString::number(mean * along)));
    }
  }

  void jointsHaveNoGaps() {
    // A zigzag with turns of all kinds: along its whole length the middle is covered.
    Scene scene = flatScene();
    auto zigzag = std::make_shared<Lines>();
    std::vector<Vec3> points;
    for (int i = 0; i <= 12; ++i) points.push_back({-0.9 + 0.15 * i, (i % 2 ? 0.6 : -0.6) * i / 12.0, 0});
    zigzag->add(points);
    scene.items = {plain(zigzag, {0, 0, 0, 1}, 5)};
    const int size = 400;
    const Image image = render(scene, size, size);
    for (std::size_t i = 1; i < points.size(); ++i)
      for (int k = 0; k <= 50; ++k) {
        const Vec3 p = points[i - 1] + (k / 50.0) * (points[i] - points[i - 1]);
        const int x = int((p.x + 1) / 2 * size), y = int((1 - p.y) / 2 * size);
        COMPARE_PIXEL(image, x, y, (Rgba{0, 0, 0, 1}), 1);
      }
  }

  void transparentJointsAreNotDarker() {
    Scene scene = flatScene();
    auto bent = std::make_shared<Lines>();
    std::vector<Vec3> points;
    for (int i = 0; i <= 40; ++i) points.push_back({0.8 * std::cos(0.1 * i), 0.8 * std::sin(0.1 * i), 0});
    bent->add(points);
    scene.items = {plain(bent, {0, 0, 0, 1}, 20)};
    scene.items[0].opacity = 0.5;
    const Image image = render(scene, 400, 400);
    int darkest = 255;
    for (std::size_t i = 3; i < image.bytes().size(); i += 4)
      darkest = std::min<int>(darkest, image.bytes()[i - 2]);
    QVERIFY2(darkest >= 126, qPrintable(QString::number(darkest)));
    for (int i = 1; i < 40; ++i) {
      const Vec3 p = points[i];
      COMPARE_PIXEL(image, int((p.x + 1) * 200), int((1 - p.y) * 200), (Rgba{0.5f, 0.5f, 0.5f, 1}), 2);
    }
  }

  void linesAreHiddenBySurfacesAndLieOnThem() {
    Scene scene = flatScene();
    auto line = std::make_shared<Lines>();
    line->add({{-0.9, 0, 0}, {0.9, 0, 0}});
    scene.items = {plain(line, kRed, 4), plain(square(0.5, 0.5), kGreen)};
    Image image = render(scene);
    COMPARE_PIXEL(image, 100, 100, kGreen, 0);
    COMPARE_PIXEL(image, 20, 100, kRed, 0);
    scene.items[1] = plain(square(0.5, 0), kGreen);  // in the same plane: the line is seen
    for (const bool orthographic : {true, false}) {
      scene.camera.orthographic = orthographic;
      std::swap(scene.items[0], scene.items[1]);  // whichever comes first
      image = render(scene);
      for (int x = 40; x < 160; ++x) COMPARE_PIXEL(image, x, 100, kRed, 0);
    }
  }

  void linesThroughTheEyeDoNoHarm() {
    Scene scene = flatScene();
    scene.camera.orthographic = false;
    scene.camera.position = {0, 0, 0.2};
    scene.camera.target = {0, 0, 0};
    auto line = std::make_shared<Lines>();
    line->add({{0.3, -0.05, 1}, {0.3, -0.05, 0.5}, {0.1, -0.05, 0.2}, {0, -0.02, -0.9}});
    line->add({{0, 0, 1}, {0, 0, -1}});
    scene.items = {plain(line, {0, 0, 0, 1}, 3)};
    const Image image = render(scene);
    int covered = 0;
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 200; ++x) covered += image.pixel(x, y)[0] < 128;
    QVERIFY2(covered > 20 && covered < 4000, qPrintable(QString::number(covered)));
    QCOMPARE(int(image.pixel(20, 20)[0]), 255);
  }

  void coordinatesFarFromTheOriginDoNotJitter() {
    const auto picture = [&](Vec3 center, double size) {
      Scene scene;
      scene.bounds.add(center - Vec3{size, size, size});
      scene.bounds.add(center + Vec3{size, size, size});
      scene.camera = scene::cameraFor(scene.bounds, {1, 2, 1}, {0, 0, 1}, 1);
      SceneItem item = mapped(plain(helix(3, 100, size, center), kRed, 2), "viridis", 0, 1);
      item.lighting = scene::Lighting::Full;
      scene.items = {item};
      return render(scene);
    };
    const Image here = picture({0, 0, 0}, 1);
    for (const auto& [center, size] : {std::pair(Vec3{6e6, -3e6, 1e6}, 1.0), std::pair(Vec3{0, 0, 0}, 1e-9),
                                       std::pair(Vec3{0, 0, 0}, 1e30), std::pair(Vec3{0, 0, 0}, 1e-30)}) {
      const Image there = picture(center, size);
      int differing = 0;
      for (std::size_t i = 0; i < here.bytes().size(); ++i)
        differing += std::abs(here.bytes()[i] - there.bytes()[i]) > 24;
      QVERIFY2(differing < 400, qPrintable(QString::number(differing)));
    }
  }

  void damagedGeometryDoesNoHarm() {
    Scene scene = flatScene();
    auto broken = square(0.5, 0);
    broken->points.insert(broken->points.end(), {kNan, 0, 0, 1e308, 1e308, 1e308});
    broken->normals.insert(broken->normals.end(), {kNan, kNan, kNan, 0, 0, 0});
    broken->triangles.insert(broken->triangles.end(), {0, 1, 4, 0, 5, 2});
    auto lines = std::make_shared<Lines>();
    lines->add({{-0.9, 0.8, 0}, {0, 0.8, 0}, {kNan, 0, 0}, {0.5, 0.8, 0}, {0.5, 0.8, 0}, {0.9, 0.8, 0}});
    lines->add({});
    lines->add({{0.2, 0.2, 0.9}});
    scene.items = {plain(broken, kRed), plain(lines, kBlue, 4)};
    const Image image = render(scene);
    COMPARE_PIXEL(image, 100, 100, kRed, 0);
    COMPARE_PIXEL(image, 50, 20, kBlue, 0);
    COMPARE_PIXEL(image, 125, 20, (Rgba{1, 1, 1, 1}), 0);
    COMPARE_PIXEL(image, 170, 20, kBlue, 0);
    broken->triangles.push_back(99);
    QVERIFY_EXCEPTION_THROWN(render(scene), Invalid);
    broken->triangles.insert(broken->triangles.end(), {0, 1});
    QVERIFY_EXCEPTION_THROWN(render(scene), Invalid);
    broken->triangles.clear();
    lines->lengths.push_back(7);
    QVERIFY_EXCEPTION_THROWN(render(scene), Invalid);
    lines->lengths.pop_back();
    QVERIFY(!render(scene).empty());  // an error leaves the renderer usable
  }

  void senselessScenesAreRefused() {
    Scene scene = flatScene();
    scene.items = {mapped(plain(square(0.5, 0), kRed), "no such map", 0, 1)};
    QVERIFY_EXCEPTION_THROWN(render(scene), Invalid);
    scene.items.clear();
    QVERIFY_EXCEPTION_THROWN(render(scene, 0, 100), Invalid);
    scene.camera.target = scene.camera.position;
    QVERIFY_EXCEPTION_THROWN(render(scene), Invalid);
    scene.camera.target = {kNan, 0, 0};
    QVERIFY_EXCEPTION_THROWN(render(scene), Invalid);
  }

  void legendAndTitleAreThere() {
    Scene scene = flatScene();
    scene.items = {mapped(plain(square(0.5, 0, {0, 1, 1, 0}), kRed), "viridis", 0, 1)};
    const Image without = render(scene, 640, 400);
    scene.items[0].scale.title = "density";
    scene.title = "step 42";
    const Image with = render(scene, 640, 400);
    int legend = 0, title = 0, rim = 0;
    for (int y = 0; y < 400; ++y)
      for (int x = 0; x < 640; ++x) {
        const bool differs = !std::equal(with.pixel(x, y), with.pixel(x, y) + 4, without.pixel(x, y));
        legend += differs && x > 540 && y > 60;
        title += differs && x < 200 && y < 40;
        rim += differs && (x < 3 || x >= 637 || y < 3 || y >= 397);
      }
    QVERIFY(legend > 1000 && title > 100);
    QCOMPARE(rim, 0);
  }

  void edgesAreSmoothAsAsked() {
    Scene scene = flatScene();
    auto line = std::make_shared<Lines>();
    line->add({{-0.9, -0.5, 0}, {0.9, 0.6, 0}});
    scene.items = {plain(line, {0, 0, 0, 1}, 2)};
    const auto greys = [](const Image& image) {
      std::set<int> values;
      for (std::size_t i = 0; i < image.bytes().size(); i += 4) values.insert(image.bytes()[i]);
      return values;
    };
    QCOMPARE(greys(egl::EglRenderer({.samples = 1}).render(scene, 200, 200)), (std::set<int>{0, 255}));
    QVERIFY(greys(render(scene)).size() >= 4);
  }

  void sameSceneGivesTheSameBytes() {
    Scene scene;
    scene.bounds.add(Vec3{-1, -1, -1});
    scene.bounds.add(Vec3{1, 1, 1});
    scene.camera = scene::cameraFor(scene.bounds, {1, 2, 1}, {0, 0, 1}, 1.6);
    SceneItem lines = mapped(plain(helix(20, 300, 1), kRed, 1.5), "viridis", 0, 1);
    lines.lighting = scene::Lighting::Full;
    lines.scale.title = "time";
    SceneItem surface = plain(square(0.9, 0), kBlue);
    surface.opacity = 0.4;
    surface.lighting = scene::Lighting::Full;
    scene.items = {lines, surface};
    const Image first = render(scene, 640, 400);
    QVERIFY(first == render(scene, 640, 400));
    egl::EglRenderer other;
    std::optional<Image> elsewhere;
    std::thread([&] { elsewhere = other.render(scene, 640, 400); }).join();
    QVERIFY(first == *elsewhere);
    QVERIFY(first == render(scene, 640, 400));
  }

  void largePicturesAreDrawnInBands() {
    // The seams between bands must not show: a lit ball of lines across all of them, against its mirror
    // image.
    Scene scene = flatScene();
    auto line = std::make_shared<Lines>();
    line->add({{0, -1, 0}, {0, 1, 0}});
    line->add({{-1, -1, 0}, {1, 1, 0}});
    scene.items = {plain(line, {0, 0, 0, 1}, 6), plain(square(0.9, -0.5), kGreen)};
    const int size = 2400;
    const Image image = render(scene, size, size);
    for (int y = 0; y < size; ++y) {
      COMPARE_PIXEL(image, size / 2, y, (Rgba{0, 0, 0, 1}), 0);
      COMPARE_PIXEL(image, size - 1 - y, y, (Rgba{0, 0, 0, 1}), 0);
      if (y > 125 && y < size - 145) COMPARE_PIXEL(image, 130, y, kGreen, 0);  // beside both lines
    }
  }

  void bandsFitTogetherInPerspective() {
    Scene scene = flatScene();
    scene.camera.orthographic = false;
    scene.items = {plain(square(0.5, 0), kRed)};
    const int size = 2400;
    const Image image = render(scene, size, size);
    const int half = int(0.5 / (5 * std::tan(15 * M_PI / 180)) * size / 2);
    for (const int sign : {-1, 1}) {
      COMPARE_PIXEL(image, size / 2, size / 2 + sign * (half - 3), kRed, 0);
      COMPARE_PIXEL(image, size / 2, size / 2 + sign * (half + 3), (Rgba{1, 1, 1, 1}), 0);
      COMPARE_PIXEL(image, size / 2 + sign * (half - 3), size / 2, kRed, 0);
      COMPARE_PIXEL(image, size / 2 + sign * (half + 3), size / 2, (Rgba{1, 1, 1, 1}), 0);
    }
    for (int y = size / 2 - half + 3; y < size / 2 + half - 3; ++y)
      COMPARE_PIXEL(image, size / 2, y, kRed, 0);
  }

  void piecesAreDrawnInTheBandsThatTheyTouch() {
    // As one piece, which touches all bands, and in many: equal bytes, near and far, before the eye and behind it.
    struct InPieces : scene::TriangleGeometry {
      explicit InPieces(std::shared_ptr<const Triangles> of) : whole(std::move(of)) {}
      void visit(const std::function<void(const scene::TriangleChunk&)>& draw) const override {
        for (std::size_t n = 0; n < whole->triangles.size(); n += 3) {
          Triangles piece;
          for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t vertex = whole->triangles[n + k];
            for (std::size_t c = 3 * vertex; c < 3 * vertex + 3; ++c) {
              piece.points.push_back(whole->points[c]);
              piece.normals.push_back(whole->normals[c]);
            }
            piece.triangles.push_back(std::uint32_t(k));
          }
          draw({piece.points, piece.normals, piece.scalars, piece.triangles});
        }
      }
      std::shared_ptr<const Triangles> whole;
    };
    struct LineByLine : scene::LineGeometry {
      explicit LineByLine(std::shared_ptr<const Lines> of) : whole(std::move(of)) {}
      void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
        std::size_t first = 0;
        for (const std::uint32_t length : whole->lengths) {
          draw({std::span(whole->points).subspan(3 * first, 3 * length), {}, {&length, 1}});
          first += length;
        }
      }
      std::shared_ptr<const Lines> whole;
    };
    auto rays = std::make_shared<Lines>();
    for (int n = 0; n < 12; ++n) {
      const double angle = n * 0.5;
      rays->add({{0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.3},
                 {1.2 * std::cos(angle), 1.2 * std::sin(angle), -0.4}});
    }
    const auto surface = ball(0.8, 12);
    for (const bool orthographic : {true, false})
      for (const double distance : {3.0, 0.7}) {  // from within the ball, too
        Scene scene = cornerScene();
        scene.camera.orthographic = orthographic;
        scene.camera.orthographicHeight = 2.4;
        scene.camera.position =
            scene.camera.target + distance / length(scene.camera.position - scene.camera.target) *
                                      (scene.camera.position - scene.camera.target);
        scene.items = {plain(rays, kRed, 9), plain(surface, kBlue), plain(ball(0.4, 8), kGreen)};
        scene.items[1].opacity = 0.4;
        const Image whole = render(scene, 700, 2000);
        scene.items[0].lines = std::make_shared<LineByLine>(rays);
        scene.items[1].triangles = std::make_shared<InPieces>(surface);
        QVERIFY(whole == render(scene, 700, 2000));
      }
  }

  void largePicturesTellHowFarTheyAreAndCanBeStopped() {
    Scene scene = cornerScene();
    scene.items = {plain(ball(0.8, 24), kBlue)};
    scene.items[0].opacity = 0.4;
    std::stop_source stop;
    std::vector<double> told;
    double stopsAt = 2;
    const StoppableWaits waits(stop.get_token());
    const ToldProgress progress([&](double part) {
      told.push_back(part);
      if (part >= stopsAt) stop.request_stop();
    });
    (void)render(scene, 700, 2000);
    QVERIFY(told.size() > 4 && std::is_sorted(told.begin(), told.end()) && told.back() == 1 &&
            told.front() >= 0);
    stopsAt = 0.4;
    QVERIFY_EXCEPTION_THROWN(render(scene, 700, 2000), Cancelled);
    QVERIFY(told.back() < 0.9);
  }

  void aFailedPictureDoesNotSpoilTheNext() {
    struct Failing : scene::TriangleGeometry {
      void visit(const std::function<void(const scene::TriangleChunk&)>&) const override {
        throw Cancelled();
      }
    };
    Scene scene = flatScene();
    scene.items = {plain(square(0.6, 0), kRed), plain(square(0.3, 0.5), kGreen)};
    scene.items[1].opacity = 0.5;
    const Image before = render(scene);
    Scene broken = scene;
    broken.items.push_back(plain(std::make_shared<Failing>(), kBlue));
    for (const double opacity : {1.0, 0.5}) {
      broken.items.back().opacity = opacity;
      QVERIFY_EXCEPTION_THROWN(render(broken), Cancelled);
      const Image after = render(scene);
      QVERIFY(std::ranges::equal(before.bytes(), after.bytes()));
    }
  }

  void longPolylinesGoOnAcrossDrawCalls() {
    // More vertices than are handed to the driver at a time: no gap anywhere along the line.
    Scene scene = flatScene();
    auto line = std::make_shared<Lines>();
    std::vector<Vec3> points;
    for (int i = 0; i <= 20000; ++i) points.push_back({-0.9 + 1.8 * i / 20000, 0.3 * std::sin(i * 0.001), 0});
    line->add(points);
    scene.items = {plain(line, {0, 0, 0, 1}, 4)};
    scene.items[0].opacity = 0.5;
    const Image image = render(scene, 1000, 1000);
    for (int x = 60; x < 940; ++x) {
      const double at = (x + 0.5) / 500 - 1, y = 0.3 * std::sin((at + 0.9) / 1.8 * 20);
      COMPARE_PIXEL(image, x, int((1 - y) * 500), (Rgba{0.5f, 0.5f, 0.5f, 1}), 3);
    }
  }
};

#ifdef FARFIELD_SANITIZED
// Drivers keep a few hundred bytes of their own, and are unloaded before anybody could tell whose they are.
extern "C" const char* __lsan_default_options() {
  return "detect_leaks=0";
}
#endif

QTEST_GUILESS_MAIN(TestEglRenderer)
#include "tst_egl_renderer.moc"
