// Pictures of stretched axes: those of the same data written stretched.
#include <QTest>
#include <cmath>

#include "render/egl/egl_renderer.h"
#include "tests/image/egl_pictures.h"
#include "tests/image/pixels.h"
#include "tests/image/scene_samples.h"

using namespace farfield;
using namespace farfield::test;
using color::Image;
using scene::Scene;

namespace {

constexpr int kWidth = 320, kHeight = 240;
const Vec3 kStretch{1, 1, 50};

/// As it is in the data that is seen as `seen`, and with their normals.
std::shared_ptr<Triangles> unstretchedOf(const Triangles& seen) {
  auto made = std::make_shared<Triangles>(seen);
  for (std::size_t n = 0; n < made->points.size(); n += 3) {
    Vec3 normal{made->normals[n], made->normals[n + 1], made->normals[n + 2]};
    normal = scene::stretched(normal, kStretch);
    normal = (1 / length(normal)) * normal;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      made->points[n + axis] /= kStretch[int(axis)];
      made->normals[n + axis] = normal[int(axis)];
    }
  }
  return made;
}

std::shared_ptr<Lines> unstretchedOf(const Lines& seen) {
  auto made = std::make_shared<Lines>(seen);
  for (std::size_t n = 0; n < made->points.size(); ++n) made->points[n] /= kStretch[int(n % 3)];
  return made;
}

std::shared_ptr<Lines> helix() {
  auto made = std::make_shared<Lines>();
  std::vector<Vec3> line;
  std::vector<double> values;
  for (int n = 0; n <= 60; ++n) {
    line.push_back({0.9 * std::cos(0.2 * n), 0.9 * std::sin(0.2 * n), -1 + n / 30.0});
    values.push_back(n / 60.0);
  }
  made->add(line, values);
  for (int n = 0; n <= 60; ++n) made->phases.push_back(0.13 * n);
  return made;
}

/// Of what is stretched, and of what was written so.
struct Both {
  Scene stretched, written;
};

Both sceneOf(bool orthographic) {
  Both both;
  both.written.bounds = {{-1, -1, -1}, {1, 1, 1}};
  both.stretched.bounds = {scene::unstretched(Vec3{-1, -1, -1}, kStretch),
                           scene::unstretched(Vec3{1, 1, 1}, kStretch)};
  const auto cameraFor = orthographic ? scene::orthographicCameraFor : scene::cameraFor;
  both.stretched.camera = cameraFor(both.stretched.bounds, {1, -2, 0.8}, {0, 0, 1}, 4.0 / 3, kStretch);
  both.written.camera = both.stretched.camera;
  both.written.camera.stretch = scene::kUnstretched;
  return both;
}

void addSurface(Both& both, const std::shared_ptr<Triangles>& surface, scene::Lighting lighting,
                double opacity = 1) {
  for (Scene* const scene : {&both.stretched, &both.written}) {
    SceneItem item = mapped(plain(surface, kRed), "viridis", -1, 1);
    if (scene == &both.stretched) item.triangles = unstretchedOf(*surface);
    item.lighting = lighting;
    item.opacity = opacity;
    item.scale.title.clear();
    scene->items.push_back(item);
  }
}

void addLines(Both& both, const std::shared_ptr<Lines>& lines) {
  for (Scene* const scene : {&both.stretched, &both.written}) {
    SceneItem item = mapped(plain(lines, kBlue, 4), "viridis", 0, 1);
    if (scene == &both.stretched) item.lines = unstretchedOf(*lines);
    item.lighting = scene::Lighting::Full;
    item.scale.title.clear();
    scene->items.push_back(item);
  }
}

}  // namespace

class TestEglStretch : public QObject, private EglPictures {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (const std::string why = begin(); !why.empty()) QSKIP(why.c_str());
  }

  void picturesAreThoseOfStretchedData_data() {
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("orthographic") << true;
    QTest::newRow("perspective") << false;
  }
  void picturesAreThoseOfStretchedData() {
    QFETCH(bool, orthographic);
    Both both = sceneOf(orthographic);
    addSurface(both, ball(0.6, 30), scene::Lighting::Full);
    addSurface(both, ball(0.3, 20, {0.7, -0.6, 0.3}), scene::Lighting::Soft, 0.5);
    addLines(both, helix());
    verifySame(both, "all");
    // Cut through the middle, at an angle.
    both.written.clip.planes = {{{0.1, 0, 0}, {1, 0.3, -0.6}}};
    both.stretched.clip.planes = {{{0.1, 0, 0}, scene::stretched(Vec3{1, 0.3, -0.6}, kStretch)}};
    both.written.clip.box = {{{-1, -0.7, -0.8}, {1, 1, 0.7}}};
    both.stretched.clip.box = {
        {scene::unstretched(Vec3{-1, -0.7, -0.8}, kStretch), scene::unstretched(Vec3{1, 1, 0.7}, kStretch)}};
    verifySame(both, "cut");
  }

  void normalsAreUprightOnWhatIsSeen() {
    // A ball that would be lit as the lens that it is in the data would have no shading to speak of.
    Both both = sceneOf(false);
    addSurface(both, ball(0.8, 30), scene::Lighting::Full);
    verifySame(both, "lit");
    Both wrong = both;
    wrong.stretched.items[0].triangles = [&] {
      auto made = unstretchedOf(*ball(0.8, 30));
      made->normals = ball(0.8, 30)->normals;
      return made;
    }();
    QVERIFY(differing(render(wrong.stretched, kWidth, kHeight), render(wrong.written, kWidth, kHeight)) >
            1000);
  }

  void particlesStayRound() {
    Both both = sceneOf(true);
    const auto lines = helix();
    lines->radii.assign(lines->points.size() / 3, 0.12);
    addLines(both, lines);
    for (Scene* const scene : {&both.stretched, &both.written}) scene->items[0].particles = true;
    // As large in the whole as they are without.
    auto smaller = unstretchedOf(*lines);
    const double factor = both.stretched.bounds.diagonal() / both.written.bounds.diagonal();
    for (double& radius : smaller->radii) radius *= factor;
    both.stretched.items[0].lines = smaller;
    verifySame(both, "particles");
  }

  void raysEndWhereGeometryIs() {
    // A square half way up the fog: distances are those of stretched space.
    Scene scene = flatScene();
    scene.camera.stretch = {1, 1, 10};
    scene.bounds = {{-1, -1, -0.1}, {1, 1, 0.1}};
    const auto volume = std::make_shared<Fog>();
    volume->low = -0.1, volume->high = 0.1;
    scene.items = {fog(volume), plain(square(0.9, 0.025), kGreen)};
    render(scene, 60, 40);
    const double end = volume->ends[20 * 60 + 30];
    QVERIFY2(std::abs(end - 4.75) < 1e-4, qPrintable(QString::number(end)));
  }

 private:
  static int differing(const Image& a, const Image& b, int tolerance = 2) {
    int count = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        bool same = true;
        for (int c = 0; c < 4; ++c) same = same && std::abs(a.pixel(x, y)[c] - b.pixel(x, y)[c]) <= tolerance;
        count += !same;
      }
    return count;
  }
  void verifySame(const Both& both, const char* what) {
    const Image a = render(both.stretched, kWidth, kHeight), b = render(both.written, kWidth, kHeight);
    const int count = differing(a, b);
    // Edges of triangles may fall on the other side of a sample.
    QVERIFY2(count <= 20, qPrintable(QString("%1: %2 pixels differ").arg(what).arg(count)));
    int drawn = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) drawn += a.pixel(x, y)[0] < 250 || a.pixel(x, y)[1] < 250;
    QVERIFY2(drawn > 1000, what);
  }
};

QTEST_GUILESS_MAIN(TestEglStretch)
#include "tst_egl_stretch.moc"
