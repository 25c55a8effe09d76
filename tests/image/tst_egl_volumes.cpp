// Volumes and slabs in pictures made with no display: rays end where geometry is, and all of it blends in order.
#include <QTest>
#include <cmath>
#include <limits>
#include <numbers>
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

class TestEglVolumes : public QObject, private EglPictures {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (const std::string why = begin(); !why.empty()) QSKIP(why.c_str());
  }

  void volumesEndAtWhatIsOpaque() {
    Scene scene = flatScene();
    const auto volume = std::make_shared<Fog>();
    scene.items = {fog(volume)};
    const Rgba half{1, 0.5f, 0.5f, 1}, quarter{1, 0.25f, 0.25f, 1};
    // Two units of fog let a quarter of the white through.
    COMPARE_PIXEL(render(scene), 100, 100, quarter, 1);
    scene.items[0].opacity = 2 / 3.0;
    COMPARE_PIXEL(render(scene), 100, 100, half, 1);
    scene.items[0].opacity = 1;
    // One unit before a white square in the middle, and none where the square is before the fog.
    scene.items.push_back(plain(square(0.5, 0), {1, 1, 1, 1}));
    const Image image = render(scene);
    COMPARE_PIXEL(image, 100, 100, half, 1);
    COMPARE_PIXEL(image, 20, 20, quarter, 1);
    scene.bounds.add(Vec3{0, 0, 2});
    scene.items[1] = plain(square(0.5, 1.5), kGreen);
    COMPARE_PIXEL(render(scene), 100, 100, kGreen, 0);
  }

  void volumesBlendWithTransparentLayers() {
    Scene scene = flatScene();
    const auto volume = std::make_shared<Fog>();
    scene.items = {plain(square(0.5, 0), kGreen), fog(volume)};
    scene.items[0].opacity = 0.5;
    // Front to back: half red, half of the rest green, half of the rest red, white.
    COMPARE_PIXEL(render(scene), 100, 100, (Rgba{0.75f, 0.375f, 0.125f, 1}), 2);
    COMPARE_PIXEL(render(scene), 20, 20, (Rgba{1, 0.25f, 0.25f, 1}), 1);
    // What is one colour for a whole ray lies behind.
    scene.items[1].volumeLook.mode = scene::VolumeMode::Maximum;
    COMPARE_PIXEL(render(scene), 100, 100, (Rgba{0.5f, 0.625f, 0.125f, 1}), 2);
  }

  void raysEndWhereGeometryIs_data() {
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("orthographic") << true;
    QTest::newRow("perspective") << false;
  }
  void raysEndWhereGeometryIs() {
    QFETCH(bool, orthographic);
    Scene scene = flatScene();
    scene.camera.orthographic = orthographic;
    const auto volume = std::make_shared<Fog>();
    scene.items = {fog(volume), plain(square(0.9, 0.25), kGreen)};
    const int width = 60, height = 40;
    render(scene, width, height);
    QCOMPARE(volume->ends.size(), std::size_t{width * height});
    for (const auto& [x, y] : {std::pair(30, 20), {35, 8}, {24, 33}}) {
      const double half = std::tan(15 * std::numbers::pi / 180), across = (x + 0.5 - 30) / 20 * half,
                   upwards = (20 - y - 0.5) / 20 * half;
      const double exact = 4.75 * (orthographic ? 1 : std::sqrt(1 + across * across + upwards * upwards));
      QVERIFY(std::abs(volume->ends[std::size_t(y * width + x)] - exact) < 1e-4);
    }
    QVERIFY(std::isinf(volume->ends[0]));
  }

  /// Ends of rays were those of one sample of a pixel: lines that it missed were covered, and where it met one the background shone
  /// through.
  void linesInVolumesAreWhole_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<bool>("dark");
    for (const auto mode : {scene::VolumeMode::Composite, scene::VolumeMode::Maximum})
      for (const bool dark : {false, true})
        QTest::addRow("mode %d, dark %d", int(mode), int(dark)) << int(mode) << dark;
  }
  void linesInVolumesAreWhole() {
    QFETCH(int, mode);
    QFETCH(bool, dark);
    Scene scene = flatScene();
    if (dark) scene.background = {0, 0, 0, 1};
    const auto volume = std::make_shared<Fog>();
    volume->opacity = 0.9;
    scene.bounds.add(Vec3{0, 0, 2});
    scene.items = {fog(volume)};
    scene.items[0].volumeLook.mode = scene::VolumeMode(mode);
    const Image bare = render(scene);
    const auto line = std::make_shared<Lines>();
    line->add({{-0.95, -0.8, 1.5}, {0.95, -0.47, 1.5}});  // before it
    scene.items.push_back(plain(line, kGreen, 1.5));
    const Image image = render(scene);
    // Across the line its green adds up to its width, where the fog has none, or as much as the background lets through.
    for (int x = 10; x < 190; ++x) {
      double green = 0;
      for (int y = 0; y < 200; ++y) {
        const double before = bare.pixel(x, y)[1], now = image.pixel(x, y)[1];
        green += (now - before) / (255 - before);
      }
      QVERIFY2(std::abs(green - 1.52) < 0.35, qPrintable(QString("column %1 has %2").arg(x).arg(green)));
    }
    // Nothing else is touched.
    for (int y = 0; y < 100; ++y)
      QVERIFY(std::equal(image.pixel(0, y), image.pixel(0, y) + 800, bare.pixel(0, y)));
  }

  void slabsShowTheirPictures() {
    Scene scene = flatScene();
    const auto slabs = std::make_shared<Slabs>();
    slabs->set = quarters(0);
    scene.items = {SceneItem{}};
    scene.items[0].slabs = slabs;
    const Rgba white{1, 1, 1, 1};
    // The picture's upper row is red and half green, the lower one blue and nothing.
    const Image image = render(scene);
    COMPARE_PIXEL(image, 60, 60, kRed, 1);
    COMPARE_PIXEL(image, 140, 60, (Rgba{0.5f, 1, 0.5f, 1}), 1);
    COMPARE_PIXEL(image, 60, 140, kBlue, 1);
    COMPARE_PIXEL(image, 140, 140, white, 0);
    COMPARE_PIXEL(image, 4, 4, white, 0);
    // What is opaque hides it, and it blends with fog before and behind it.
    scene.items.push_back(plain(square(1, 0.5), kGreen));
    COMPARE_PIXEL(render(scene), 60, 60, kGreen, 0);
    scene.items[1] = fog(std::make_shared<Fog>());
    COMPARE_PIXEL(render(scene), 60, 140, (Rgba{0.5f, 0, 0.5f, 1}), 2);
    COMPARE_PIXEL(render(scene), 140, 140, (Rgba{1, 0.25f, 0.25f, 1}), 2);
  }

  void aPictureShowsOneSetOfSlabs() {
    Scene scene = flatScene();
    const auto slabs = std::make_shared<Slabs>();
    slabs->set = quarters(0);
    slabs->next = std::make_shared<scene::SlabSet>();  // comes as soon as somebody has looked
    scene.items = {SceneItem{}};
    scene.items[0].slabs = slabs;
    COMPARE_PIXEL(render(scene), 60, 60, kRed, 1);
    COMPARE_PIXEL(render(scene), 60, 60, (Rgba{1, 1, 1, 1}), 0);
  }

  void slabsOf16BitsLookLikeThoseOfBytes() {
    Scene scene = flatScene();
    const auto slabs = std::make_shared<Slabs>();
    auto set = std::make_shared<scene::SlabSet>(*quarters(0));
    slabs->set = set;
    scene.items = {SceneItem{}};
    scene.items[0].slabs = slabs;
    const Image ofBytes = render(scene);
    auto fine = std::make_shared<scene::SlabImage>(*set->slabs[0].image);
    fine->valueBytes = 2;
    fine->rgba.clear();
    // 0x6666 is to 0xffff as 0x66 is to 0xff
    for (const std::uint8_t value : set->slabs[0].image->rgba) fine->rgba.insert(fine->rgba.end(), 2, value);
    set->slabs[0].image = fine;
    const Image ofFine = render(scene);
    QCOMPARE(ofFine.bytes().size(), ofBytes.bytes().size());
    // drivers filter the two otherwise, between pixels
    for (std::size_t n = 0; n < ofBytes.bytes().size(); ++n)
      QVERIFY(std::abs(int{ofFine.bytes()[n]} - int{ofBytes.bytes()[n]}) <= 3);
    COMPARE_PIXEL(ofFine, 140, 60, (Rgba{0.5f, 1, 0.5f, 1}), 1);
  }

  void brokenSlabsAreRefused() {
    Scene scene = flatScene();
    const auto slabs = std::make_shared<Slabs>();
    scene.items = {SceneItem{}};
    scene.items[0].slabs = slabs;
    render(scene);  // nothing there yet
    for (const int wrong : {0, 1, 2, 3, 4, 5}) {
      auto set = std::make_shared<scene::SlabSet>(*quarters(0));
      auto image = std::make_shared<scene::SlabImage>(*set->slabs[0].image);
      if (wrong == 0) set->slabs[0].triangles[0][1] = 4;
      if (wrong == 1) set->slabs[0].places.pop_back();
      if (wrong == 2) image->rgba.pop_back();
      if (wrong == 3) set->slabs[0].points[2].x = std::numeric_limits<double>::quiet_NaN();
      if (wrong == 4) image->valueBytes = 2;
      if (wrong == 5) image->valueBytes = 3;
      set->slabs[0].image = image;
      slabs->set = set;
      QVERIFY_THROWS_EXCEPTION(Invalid, render(scene));
    }
  }
};

QTEST_GUILESS_MAIN(TestEglVolumes)
#include "tst_egl_volumes.moc"
