// Colours of pictures made with no display: values by their maps, in any light, from either side.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "render/color/color_map.h"
#include "render/egl/egl_renderer.h"
#include "tests/image/egl_pictures.h"
#include "tests/image/one_place.h"
#include "tests/image/pixels.h"
#include "tests/image/scene_samples.h"

using namespace farfield;
using namespace farfield::test;
using color::Image;
using scene::Scene;

class TestEglColors : public QObject, private EglPictures {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (const std::string why = begin(); !why.empty()) QSKIP(why.c_str());
    qInfo("%s", m_renderer->driver().c_str());
  }

  void lightKeepsTheHue() {
    Scene scene = flatScene();
    scene.items = {plain(square(0.6, 0), kRed)};
    scene.items[0].lighting = scene::Lighting::Full;
    const Image image = render(scene);
    const std::uint8_t* p = image.pixel(100, 100);
    QVERIFY2(p[0] > 200 && p[1] < 50 && p[2] < 50, qPrintable(text(p)));
    // The back is lit as the front is.
    scene.camera.position = {0, 0, -5};
    QVERIFY(near(render(scene).pixel(100, 100), {p[0] / 255.f, p[1] / 255.f, p[2] / 255.f, 1}, 1));
  }

  // Of a ball: every pixel of it has the hue of its colour, and where it faces the eye, in soft light, that colour.
  void noLightChangesColours() {
    Scene scene = flatScene();
    const Rgba colour{0.9f, 0.5f, 0.1f, 1};
    scene.items = {plain(ball(0.6, 40), colour)};
    for (const auto lighting : {scene::Lighting::Off, scene::Lighting::Soft, scene::Lighting::Full}) {
      scene.items[0].lighting = lighting;
      const Image image = render(scene);
      if (lighting != scene::Lighting::Full) COMPARE_PIXEL(image, 100, 100, colour, 1);
      int seen = 0, darkest = 255;
      for (int y = 70; y < 130; y += 3)
        for (int x = 70; x < 130; x += 3) {
          const std::uint8_t* p = image.pixel(x, y);
          // Hue: where the middle one lies between the least and the greatest.
          const double place = double(p[1] - p[2]) / std::max(1, p[0] - p[2]);
          QVERIFY2(std::abs(place - 0.5) < 0.03, qPrintable(text(p)));
          darkest = std::min<int>(darkest, p[0]);
          ++seen;
        }
      QVERIFY(seen == 400);
      if (lighting == scene::Lighting::Off) QCOMPARE(darkest, 230);
      if (lighting == scene::Lighting::Soft) QVERIFY2(darkest < 226, qPrintable(QString::number(darkest)));
    }
  }

  // Two sides at one place, cut into triangles differently, in either order, from either side: no speckle, and the
  // side whose normals point to the eye.
  void theSideThatFacesTheEyeIsSeen() {
    Scene scene = flatScene();
    const auto sheet = [](int cells, double side) {
      auto made = std::make_shared<Triangles>();
      for (int j = 0; j <= cells; ++j)
        for (int i = 0; i <= cells; ++i) {
          // A plane that no axis is normal to, so that depths are rounded.
          const double x = 1.4 * i / cells - 0.7, y = 1.4 * j / cells - 0.7;
          made->points.insert(made->points.end(), {x, y, 0.31 * x - 0.17 * y});
          const double size = std::sqrt(1 + 0.31 * 0.31 + 0.17 * 0.17);
          made->normals.insert(made->normals.end(), {side * -0.31 / size, side * 0.17 / size, side / size});
        }
      for (int j = 0; j < cells; ++j)
        for (int i = 0; i < cells; ++i) {
          const auto at = std::uint32_t(j * (cells + 1) + i), up = at + std::uint32_t(cells) + 1;
          if (side > 0)
            made->triangles.insert(made->triangles.end(), {at, at + 1, up + 1, at, up + 1, up});
          else
            made->triangles.insert(made->triangles.end(), {at, at + 1, up, at + 1, up + 1, up});
        }
      return made;
    };
    const SceneItem upper = plain(sheet(13, 1), kRed), lower = plain(sheet(17, -1), kBlue);
    for (const bool orthographic : {true, false})
      for (const bool upperFirst : {true, false})
        for (const double from : {5.0, -5.0}) {
          scene.camera = {.position = {0.6, -0.9, from}, .target = {0, 0, 0}, .up = {0, 1, 0}};
          scene.camera.orthographic = orthographic;
          scene.camera.orthographicHeight = 2;
          if (upperFirst)
            scene.items = {upper, lower};
          else
            scene.items = {lower, upper};
          const Image image = render(scene);
          for (int y = 60; y < 140; ++y)
            for (int x = 60; x < 140; ++x) COMPARE_PIXEL(image, x, y, from > 0 ? kRed : kBlue, 0);
        }
  }

  // Cut into triangles differently, from nearby and from far away, also where depths are distances.
  void theLaterOfSurfacesAtOnePlaceIsSeen() {
    constexpr int kCount = 8;
    for (const OnePlaceView& each : onePlaceViews())
      for (const int last : {0, 3, 7}) {
        Scene scene = each.scene;
        for (int n = 0; n < kCount; ++n)
          scene.items.push_back(
              plain(sheetAtOnePlace(5 + 3 * ((last + 1 + n) % kCount)), n + 1 < kCount ? kRed : kBlue));
        const Image image = render(scene);
        scene.items.erase(scene.items.begin(), scene.items.end() - 1);
        const QString wrong = wrongAtOnePlace(image, render(scene), kBlue);
        QVERIFY2(wrong.isEmpty(), qPrintable(each.name + ", " + wrong));
      }
  }

  void theLaterOfTransparentSurfacesAtOnePlaceIsInFront() {
    for (const OnePlaceView& each : onePlaceViews())
      for (const bool firstIsOpaque : {true, false}) {
        Scene scene = each.scene;
        scene.items = {plain(sheetAtOnePlace(13), kRed), plain(sheetAtOnePlace(17), kBlue)};
        scene.items[1].opacity = 0.5;
        if (!firstIsOpaque) scene.items[0].opacity = 0.5;
        const Image image = render(scene);
        scene.items = {plain(sheetAtOnePlace(17), kBlue)};
        const QString wrong =
            wrongAtOnePlace(image, render(scene), kBlue,
                            firstIsOpaque ? Rgba{0.5f, 0, 0.5f, 1} : Rgba{0.5f, 0.25f, 0.75f, 1});
        QVERIFY2(wrong.isEmpty(), qPrintable(each.name + ", " + wrong));
      }
  }

  void valuesOutsideOfTheRangeHaveTheirColours() {
    Scene scene = flatScene();
    SceneItem item = mapped(plain(square(1, 0, {-1, 2, 2, -1}), kRed), "grey", 0, 1);
    item.scale.below = kBlue;
    item.scale.above = kRed;
    scene.items = {item};
    const Image image = render(scene, 240, 240);
    COMPARE_PIXEL(image, 40, 120, kBlue, 0);
    COMPARE_PIXEL(image, 120, 120, (Rgba{0.5f, 0.5f, 0.5f, 1}), 3);
    COMPARE_PIXEL(image, 200, 120, kRed, 0);
    // Without a logarithm a value lies below every range, and the picture is drawn.
    item = mapped(plain(square(1, 0, {-5, -5, 0, 0}), kRed), "grey", 1, 100);
    item.scale.logarithmic = item.scale.reachesDown = true;
    scene.items = {item};
    COMPARE_PIXEL(render(scene, 64, 64), 32, 32, (Rgba{0, 0, 0, 1}), 0);
    scene.items[0].scale.below = kBlue;
    COMPARE_PIXEL(render(scene, 64, 64), 32, 32, kBlue, 0);
  }

  void tiltedSurfacesAreDarker() {
    Scene scene = flatScene();
    auto tilted = square(0.6, 0);
    for (std::size_t i = 0; i < 4; ++i) {
      tilted->points[3 * i + 2] =
          1.5 * tilted->points[3 * i + 1] * -1;  // its upper side leans away downwards
      tilted->normals[3 * i + 1] = -0.83, tilted->normals[3 * i + 2] = 0.55;
    }
    scene.items = {plain(square(0.6, 0), {0.8f, 0.8f, 0.8f, 1})};
    scene.items[0].lighting = scene::Lighting::Full;
    const int facing = render(scene).pixel(100, 100)[0];
    scene.items[0].triangles = tilted;
    const int leaning = render(scene).pixel(100, 100)[0];
    QVERIFY2(facing > leaning + 20 && leaning > 60, qPrintable(QString("%1 %2").arg(facing).arg(leaning)));
  }

  void colorsAreLookedUpPerFragment() {
    // Red and blue ends of turbo, but green between them: interpolated colours would be purple there.
    Scene scene = flatScene();
    scene.items = {mapped(plain(square(1, 0, {0, 1, 1, 0}), kRed), "turbo", 0, 1)};
    const Image image = render(scene, 256, 256);
    const auto& map = color::ColorMap::named("turbo");
    for (const int x : {10, 70, 128, 200, 250}) {
      const auto [r, g, b] = map.at((x + 0.5) / 256);
      COMPARE_PIXEL(image, x, 128, (Rgba{r, g, b, 1}), 3);
    }
  }

  void logarithmicAndMissingValues() {
    Scene scene = flatScene();
    SceneItem item = mapped(plain(square(1, 0, {1, 100, 100, 1}), kRed), "viridis", 1, 100);
    item.scale.logarithmic = true;
    scene.items = {item};
    auto [r, g, b] = color::ColorMap::named("viridis").at(0.25 + 0.5 / 256 / 4);
    COMPARE_PIXEL(render(scene, 256, 256), 64, 128, (Rgba{r, g, b, 1}), 3);
    scene.items[0].triangles = square(1, 0, {kNan, 100, 100, 1});
    scene.items[0].scale.nanColor = {1, 0, 1, 1};
    const Image image = render(scene, 256, 256);
    COMPARE_PIXEL(image, 100, 200, (Rgba{1, 0, 1, 1}), 0);
    COMPARE_PIXEL(image, 20, 20, (Rgba{1, 0, 1, 1}), 0);  // both triangles have the corner
    // Values outside of the range have the colours of its ends.
    scene.items = {mapped(plain(square(1, 0, {-1e300, -1e300, 1e300, 1e300}), kRed), "grey", 0, 1)};
    const Image ends = render(scene, 64, 64);
    COMPARE_PIXEL(ends, 32, 2, (Rgba{1, 1, 1, 1}), 1);
    COMPARE_PIXEL(ends, 32, 61, (Rgba{0, 0, 0, 1}), 1);
  }
};

#ifdef FARFIELD_SANITIZED
// Drivers keep a few hundred bytes of their own, and are unloaded before anybody could tell whose they are.
extern "C" const char* __lsan_default_options() {
  return "detect_leaks=0";
}
#endif

QTEST_GUILESS_MAIN(TestEglColors)
#include "tst_egl_colors.moc"
