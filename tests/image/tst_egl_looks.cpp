// What is looked at in other ways: cut by planes and boxes, with lines between bands of colour, with edges over surfaces.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "render/egl/egl_renderer.h"
#include "tests/image/egl_pictures.h"
#include "tests/image/pixels.h"
#include "tests/image/scene_samples.h"

using namespace farfield;
using namespace farfield::test;
using color::Image;
using scene::Scene;

namespace {

constexpr Rgba kWhite{1, 1, 1, 1};

bool isDark(const std::uint8_t* pixel) {
  return pixel[0] < 90 && pixel[1] < 90 && pixel[2] < 90;
}

/// Keeps the looks with which it was cast.
struct WatchedFog : Fog {
  mutable std::vector<scene::ClipPlane> planes;
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    planes = cast.look.clipPlanes;
    return Fog::cast(cast, rgba);
  }
};

}  // namespace

class TestEglLooks : public QObject, private EglPictures {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (const std::string why = begin(); !why.empty()) QSKIP(why.c_str());
  }

  /// However far it is, and beside what is near and whole.
  void whatIsNearerHidesWhatIsFarther() {
    for (const bool redFirst : {true, false}) {
      const Image image = render(deepScene(redFirst));
      for (int y = 5; y < 200; y += 19)
        for (int x = 5; x < 200; x += 10) {
          const bool isWhite = std::abs(x - 100) < 36 && std::abs(y - 100) < 36;
          const bool isLine = std::abs(x - 100) < 33 && std::abs(y - 100) < 6;
          if (std::abs(x - 100) < 3 || (std::abs(x - 100) < 40 && std::abs(y - 100) < 40 && !isWhite) ||
              isLine)
            continue;
          const Rgba wall = x < 100 ? kRed : Rgba{0.5F, 0, 0.5F, 1};
          COMPARE_PIXEL(image, x, y, isWhite ? kWhite : wall, 2);
        }
      for (int x = 72; x < 128; ++x) COMPARE_PIXEL(image, x, 100, (Rgba{0, 0, 0, 1}), 2);
    }
  }

  void planesKeepOneSide() {
    Scene scene = flatScene();
    auto across = std::make_shared<Lines>();
    across->add({{-0.9, 0.8, 0.1}, {0.9, 0.8, 0.1}});
    scene.items = {plain(square(0.6, 0), kRed), plain(across, kBlue, 6)};
    scene.clip.planes = {{{0.1, 5, -3}, {2, 0, 0}}};
    for (const bool orthographic : {true, false}) {
      scene.camera.orthographic = orthographic;
      scene.camera.fieldOfViewDegrees = 22.6;  // as much of the plane z = 0
      const Image image = render(scene);
      COMPARE_PIXEL(image, 60, 100, kWhite, 0);
      COMPARE_PIXEL(image, 105, 100, kWhite, 0);
      COMPARE_PIXEL(image, 116, 100, kRed, 0);
      COMPARE_PIXEL(image, 140, 100, kRed, 0);
      COMPARE_PIXEL(image, 60, 20, kWhite, 0);
      QVERIFY(image.pixel(150, 20)[2] > 200 && image.pixel(150, 20)[0] < 60);
    }
    // What is not to be cut stays, and so does what is transparent on the kept side.
    scene.items[0].clipped = false;
    scene.items[1].opacity = 0.5;
    const Image image = render(scene);
    COMPARE_PIXEL(image, 60, 100, kRed, 0);
    COMPARE_PIXEL(image, 60, 20, kWhite, 0);
    QVERIFY(image.pixel(150, 20)[0] < 200 && image.pixel(150, 20)[2] > 200);
  }

  void placesFarFromTheOriginAreCutThere() {
    const Vec3 far{4e6, -2e6, 1e6};
    Scene scene;
    scene.bounds.add(far - Vec3{1, 1, 1});
    scene.bounds.add(far + Vec3{1, 1, 1});
    scene.camera = {.position = far + Vec3{0, 0, 5}, .target = far, .up = {0, 1, 0}, .orthographic = true};
    scene.camera.orthographicHeight = 2;
    scene.items = {plain(square(0.6, 0, {}, far), kRed)};
    scene.clip.planes = {{far + Vec3{0, 0.25, 0}, {0, -1, 0}}};
    const Image image = render(scene);
    COMPARE_PIXEL(image, 100, 70, kWhite, 0);
    COMPARE_PIXEL(image, 100, 80, kRed, 0);
  }

  void boxesKeepWhatIsInside() {
    Scene scene = flatScene();
    scene.items = {plain(square(0.9, 0), kRed), plain(square(0.9, -0.5), kGreen)};
    scene.clip.box = {{{-0.5, -0.25, -0.7}, {0.25, 0.5, -0.3}}};
    const Image image = render(scene);
    // y grows upwards, and the red one lies before the box.
    COMPARE_PIXEL(image, 100, 100, kGreen, 0);
    COMPARE_PIXEL(image, 55, 55, kGreen, 0);
    COMPARE_PIXEL(image, 45, 100, kWhite, 0);
    COMPARE_PIXEL(image, 130, 100, kWhite, 0);
    COMPARE_PIXEL(image, 100, 130, kWhite, 0);
    COMPARE_PIXEL(image, 100, 45, kWhite, 0);
  }

  void volumesAreCutAsWell() {
    Scene scene = flatScene();
    const auto volume = std::make_shared<WatchedFog>();
    scene.items = {fog(volume)};
    const scene::ClipPlane own{{0, 0, 0.5}, {0, 0, -1}}, more{{0.2, 0, 0}, {1, 0, 0}};
    scene.items[0].volumeLook.clipPlanes = {own};
    scene.clip.planes = {more};
    render(scene);
    QCOMPARE(volume->planes, (std::vector<scene::ClipPlane>{own, more}));
    scene.items[0].clipped = false;
    render(scene);
    QCOMPARE(volume->planes, std::vector<scene::ClipPlane>{own});
  }

  void linesLieBetweenBands() {
    Scene scene = flatScene();
    // The light half of a map, of which four bands are two: the border lies in the middle.
    scene.items = {mapped(plain(square(1, 0, {0.2, 0.8, 0.8, 0.2}), kRed), "grey", -1, 1)};
    scene.items[0].scale.map.bands = 4;
    const auto darkColumns = [&] {
      const Image image = render(scene);
      std::vector<int> dark;
      for (int x = 0; x < 200; ++x)
        if (isDark(image.pixel(x, 100))) dark.push_back(x);
      return dark;
    };
    QVERIFY(darkColumns().empty());
    scene.items[0].scale.bandLines = true;
    const std::vector<int> dark = darkColumns();
    QVERIFY2(dark.size() >= 1 && dark.size() <= 4, qPrintable(QString::number(dark.size())));
    for (const int x : dark) QVERIFY(std::abs(x - 99.5) < 3);
    // As wide where the function is flat.
    scene.items[0].triangles = square(1, 0, {0.45, 0.55, 0.55, 0.45});
    QVERIFY(!darkColumns().empty() && darkColumns().size() <= 4);
    // So many that none could be told from the next: no lines at all.
    scene.items[0].scale.map.bands = 64;
    scene.items[0].triangles = square(1, 0, {0.05, 0.95, 0.95, 0.05});
    scene.camera.orthographicHeight = 30;
    const Image image = render(scene);
    for (int x = 95; x < 105; ++x) QVERIFY(!isDark(image.pixel(x, 100)));
  }

  /// As edges of blocks in the plane of a cut are. Half of a thin line lies behind what is nearer beside it, and would miss pixels here
  /// and there: it would look dashed.
  void thinLinesAreWholeOnWhatIsSeenAslant() {
    for (const double degrees : {0.0, 50.0, 65.0, 74.0})
      for (const double width : {1.0, 1.5})
        for (const int looks : {0, 1, 2, 3, 4, 5}) {
          // without normals; of those that turn away from the eye; of those of its triangles
          const bool orthographic = looks % 2 == 0, normals = looks >= 2, inTriangles = looks >= 4;
          const double side = inTriangles ? 1 : -1;
          Scene scene = flatScene();
          const double slant = degrees * std::numbers::pi / 180;
          scene.camera.position = 5 * Vec3{0, -std::sin(slant), std::cos(slant)};
          scene.camera.up = {0, 0.9, 0.5};
          scene.camera.orthographic = orthographic;
          scene.camera.fieldOfViewDegrees = 22.6;
          auto lines = std::make_shared<Lines>();
          for (const double turn : {0.05, 0.4, 1.1, 1.5, 2.2, 2.9}) {
            const Vec3 end{0.7 * std::cos(turn), 0.7 * std::sin(turn), 0};
            lines->add({-1.0 * end, 0.1 * end, end});
            if (normals) lines->normals.insert(lines->normals.end(), {0, 0, side, 0, 0, side, 0, 0, side});
          }
          const auto ink = [&] {
            const Image image = render(scene);
            int sum = 0;
            for (int y = 0; y < image.height(); ++y)
              for (int x = 0; x < image.width(); ++x) sum += 255 - image.pixel(x, y)[1];
            return sum;
          };
          SceneItem item = plain(lines, {0, 0, 0, 1}, width);
          item.inTriangles = inTriangles;
          scene.items = {item};
          const int whole = ink();
          scene.items = {plain(square(0.9, 0), kWhite), item};
          const int onSurface = ink();
          QVERIFY2(whole > 20'000 && std::abs(onSurface - whole) <= whole / 50,
                   qPrintable(QString("%1 of %2 at %3 degrees").arg(onSurface).arg(whole).arg(degrees)));
        }
  }

  /// As on a wing, thinner than the pixels by which lines are raised where it is not known how a surface lies.
  void linesBehindWhatIsThinAreHidden() {
    Scene scene = flatScene();
    scene.camera.fieldOfViewDegrees = 22.6;  // as much of the plane z = 0
    const double half = 0.01;                // two pixels in all
    auto near = std::make_shared<Lines>(), far = std::make_shared<Lines>();
    for (const double at : {-0.6, -0.2, 0.2, 0.6}) {
      near->add({{-0.8, at, half}, {0.8, at + 0.1, half}});
      far->add({{at, -0.8, -half}, {at + 0.1, 0.8, -half}});
      near->normals.insert(near->normals.end(), {0, 0, 1, 0, 0, 1});
      far->normals.insert(far->normals.end(), {0, 0, -1, 0, 0, -1});
    }
    SceneItem green = plain(near, {0, 0.5F, 0, 1}, 1.5), blue = plain(far, kBlue, 1.5);
    for (const int looks : {0, 1, 2, 3})
      for (const double from : {5.0, -5.0}) {
        scene.camera.orthographic = looks % 2 == 0;
        green.inTriangles = blue.inTriangles = looks >= 2;
        scene.camera.position = {0, 0, from};
        const SceneItem& seen = from > 0 ? green : blue;
        const auto picture = [&](std::vector<SceneItem> items) {
          scene.items = {plain(square(0.9, half), kWhite), plain(square(0.9, -half), kWhite)};
          scene.items.insert(scene.items.end(), items.begin(), items.end());
          return render(scene);
        };
        const Image without = picture({seen}), with = picture({green, blue});
        int ink = 0;
        for (int y = 0; y < with.height(); ++y)
          for (int x = 0; x < with.width(); ++x) {
            ink += 255 - with.pixel(x, y)[0];
            for (int c = 0; c < 3; ++c) QCOMPARE(with.pixel(x, y)[c], without.pixel(x, y)[c]);
          }
        QVERIFY2(ink > 150'000, qPrintable(QString::number(ink)));  // four lines of 160 pixels, each whole
      }
  }

  /// Straight arrows on what is hollow, and lines of bilinear cells, are beneath its triangles here and there.
  void linesNearWhatFacesTheEyeAreSeen() {
    Scene scene = flatScene();
    auto lines = std::make_shared<Lines>();
    lines->add({{-0.8, 0, -0.01}, {0.8, 0.1, -0.01}});  // a pixel beneath
    SceneItem item = plain(lines, {0, 0, 0, 1}, 1.5);
    scene.items = {plain(square(0.9, 0), kWhite), item};
    const Image without = render(scene);
    lines->normals = {0, 0, 1, 0, 0, 1};
    QCOMPARE(render(scene), without);
    lines->normals = {0, 0, -1, 0, 0, -1};
    QVERIFY(!(render(scene) == without));
    // Of stretched axes as well.
    scene.camera.stretch = {1, 1, 0.01};
    lines->normals = {0, 0, 1, 0, 0, 1};
    const Image flat = render(scene);
    lines->normals = {0, 0, -1, 0, 0, -1};
    QCOMPARE(render(scene), flat);
  }

  /// Whose normals are those of what is round, and not of the triangles.
  void linesOfCoarseTrianglesAreWhole() {
    for (const int rings : {6, 8, 12, 24})
      for (const double width : {1.0, 1.5, 3.0}) {
        Scene scene = cornerScene();
        const auto body = ball(0.8, rings);
        // through the middles of the sides of all triangles
        auto lines = std::make_shared<Lines>();
        for (std::size_t n = 0; n < body->triangles.size(); n += 3) {
          const auto middle = [&](const std::vector<double>& of, std::size_t side) {
            const std::size_t a = 3 * std::size_t(body->triangles[n + side]),
                              b = 3 * std::size_t(body->triangles[n + side + 1]);
            return 0.5 * Vec3{of[a] + of[b], of[a + 1] + of[b + 1], of[a + 2] + of[b + 2]};
          };
          lines->add({middle(body->points, 0), middle(body->points, 1)});
          for (const std::size_t side : {0u, 1u}) {
            const Vec3 normal = middle(body->normals, side);
            lines->normals.insert(lines->normals.end(), {normal.x, normal.y, normal.z});
          }
        }
        SceneItem item = plain(lines, {0, 0, 0, 1}, width);
        item.inTriangles = true;
        const auto ink = [&] {
          scene.items = {plain(body, kWhite), item};
          const Image image = render(scene);
          int sum = 0;
          for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) sum += 255 - image.pixel(x, y)[1];
          return sum;
        };
        const int with = ink();
        lines->normals.clear();
        const int without = ink();
        QVERIFY2(without > 100'000 && std::abs(with - without) <= without / 1000,
                 qPrintable(QString("%1 of %2 with %3 rings").arg(with).arg(without).arg(rings)));
      }
  }

  void edgesLieOverSurfaces() {
    Scene scene = flatScene();
    SceneItem item = plain(square(0.6, 0), kRed);
    auto edges = std::make_shared<Lines>();
    edges->add({{-0.6, -0.6, 0}, {0.6, -0.6, 0}, {0.6, 0.6, 0}, {-0.6, 0.6, 0}, {-0.6, -0.6, 0}});
    edges->add({{0.005, -0.6, 0}, {0.005, 0.6, 0}});  // along the middles of pixels
    item.edges = edges;
    scene.items = {item};
    for (const double from : {5.0, -5.0}) {
      scene.camera.position = {0, 0, from};
      const Image image = render(scene);
      int dark = 0;
      for (int x = 70; x < 130; ++x) dark += isDark(image.pixel(x, 90));
      QVERIFY2(dark >= 1 && dark <= 3, qPrintable(QString::number(dark)));
      COMPARE_PIXEL(image, 60, 60, kRed, 0);  // no diagonal
      COMPARE_PIXEL(image, 75, 125, kRed, 0);
    }
    scene.clip.planes = {{{0.3, 0, 0}, {1, 0, 0}}};
    const Image image = render(scene);
    COMPARE_PIXEL(image, 100, 90, kWhite, 0);
  }
};

QTEST_GUILESS_MAIN(TestEglLooks)
#include "tst_egl_looks.moc"
