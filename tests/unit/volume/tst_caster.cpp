#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "render/volume/cast_bands.h"
#include "tests/unit/volume/formula_bricks.h"

using namespace farfield;
using test::cube;
using test::FormulaBricks;
using test::Picture;
using test::shoot;
using test::Shot;

class TestCaster : public QObject {
  Q_OBJECT
 private slots:
  void aSlabHasItsClosedForm();
  void aSphereHasItsClosedForm();
  void aLinearFieldHasNoSeams_data();
  void aLinearFieldHasNoSeams();
  void marschnerLobbIsWithinItsError();
  void anIsosurfaceLiesWhereItShould();
  void anIsosurfaceHasItsColorWhateverTheOpacities();
  void lightKeepsTheHue_data();
  void lightKeepsTheHue();
  void maximumAndNearest();
  void intervalsOfRaysMakeTheWhole();
  void somethingOpaqueEndsRays();
  void clipsByBoxAndPlanes();
  void theEyeMayBeInside();
  void rectilinearAxesNeedNoResampling();
  void sameBytesHoweverItIsDone();
  void littleMemoryCastsInParts();
  void bricksBehindWhatIsOpaqueAreNotRead();
  void bricksOfAPageAreReadTogether();
  void wrongLooksAreRefused();
};

namespace {

double marschnerLobb(Vec3 p) {
  const double x = 2 * p.x - 1, y = 2 * p.y - 1, z = 2 * p.z - 1;
  const double r = std::sqrt(x * x + y * y);
  const double rho = std::cos(2 * M_PI * 6 * std::cos(M_PI * r / 2));
  return (1 - std::sin(M_PI * z / 2) + 0.25 * (1 + rho)) / (2 * (1 + 0.25));
}

Shot ofMode(scene::VolumeMode mode) {
  Shot shot;
  shot.look.mode = mode;
  shot.look.opacity = {{-100, 1}, {100, 1}};
  shot.camera = test::alongZ();
  shot.scale.map.points = {{0, {0, 0, 0}}, {1, {255, 255, 255}}};
  return shot;
}

}  // namespace

void TestCaster::aSlabHasItsClosedForm() {
  FormulaBricks source(cube(71), [](Vec3) { return 1.0; });
  for (const double step : {1.0 / 70, 0.0133, 0.3}) {
    Shot shot = ofMode(scene::VolumeMode::Composite);
    shot.look.opacity = {{0, 0.3}, {2, 0.3}};
    shot.step = step;
    shot.unit = 0.4;
    const Picture picture = shoot(source, shot);
    const double exact = 1 - std::pow(0.7, 1 / 0.4);
    for (int p = 0; p < 64; p += 7)
      QVERIFY2(std::abs(static_cast<double>(picture.at(p, 63 - p)[3]) - exact) < 2e-3,
               qPrintable(QString::number(static_cast<double>(picture.at(p, 63 - p)[3]) - exact)));
  }
}

void TestCaster::aSphereHasItsClosedForm() {
  const Vec3 middle{0.5, 0.5, 0.5};
  FormulaBricks source(cube(101), [&](Vec3 p) { return length(p - middle); });
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0, 0.4}, {0.4, 0.4}, {0.4, 0}};
  shot.step = 0.002;
  shot.unit = 0.5;
  const Picture picture = shoot(source, shot);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const double dx = (x + 0.5) / 64 - 0.5, dy = (y + 0.5) / 64 - 0.5;
      const double inside = 0.16 - dx * dx - dy * dy;
      if (std::abs(inside) < 0.01) continue;  // chords change by more than a cell from one pixel to the next
      const double exact = inside > 0 ? 1 - std::pow(0.6, 2 * std::sqrt(inside) / 0.5) : 0;
      QVERIFY(std::abs(static_cast<double>(picture.at(x, y)[3]) - exact) < 4e-3);
    }
}

void TestCaster::aLinearFieldHasNoSeams_data() {
  QTest::addColumn<double>("coarse");
  QTest::newRow("the data") << 1.0;
  QTest::newRow("a level") << 2.0;
}

void TestCaster::aLinearFieldHasNoSeams() {
  QFETCH(double, coarse);
  const auto n = static_cast<std::int64_t>(128 / coarse) + 1;
  FormulaBricks source(cube(n), [](Vec3 p) { return 3 * p.x - 2 * p.y + p.z; });
  Shot shot = ofMode(scene::VolumeMode::Average);
  shot.scale.min = -2;
  shot.scale.max = 4;
  shot.width = shot.height = 200;
  shot.step = 1.0 / 200;
  const Picture picture = shoot(source, shot);
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) {
      const double value = 3 * (x + 0.5) / 200 - 2 * (1 - (y + 0.5) / 200) + 0.5;
      QVERIFY(std::abs(static_cast<double>(picture.at(x, y)[0]) - (value + 2) / 6) < 2.5e-3);
    }
}

void TestCaster::marschnerLobbIsWithinItsError() {
  FormulaBricks source(cube(128), marschnerLobb);
  Shot shot = ofMode(scene::VolumeMode::Average);
  shot.step = 1.0 / 512;
  const Picture picture = shoot(source, shot);
  double worst = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      double sum = 0;
      for (int k = 0; k < 2000; ++k)
        sum += marschnerLobb({(x + 0.5) / 64, 1 - (y + 0.5) / 64, (k + 0.5) / 2000});
      worst = std::max(worst, std::abs(static_cast<double>(picture.at(x, y)[0]) - sum / 2000));
    }
  // 12 periods of 10.6 cells: linear interpolation is off by (pi / 10.6)^2 / 2 of the wave's 0.1, and colours by 1/510.
  QVERIFY2(worst < 7e-3, qPrintable(QString::number(worst)));
}

void TestCaster::anIsosurfaceLiesWhereItShould() {
  const Vec3 middle{0.5, 0.5, 0.5};
  FormulaBricks source(cube(97), [&](Vec3 p) { return length(p - middle); });
  Shot shot = ofMode(scene::VolumeMode::Isosurface);
  shot.look.value = 0.4;
  shot.step = 1.0 / 96;
  // A ray that ends just before the surface does not see it; one that ends just behind does.
  for (const double beyond : {-0.003, 0.003}) {
    shot.to.assign(64 * 64, INFINITY);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        const double dx = (x + 0.5) / 64 - 0.5, dy = (y + 0.5) / 64 - 0.5, inside = 0.16 - dx * dx - dy * dy;
        if (inside > 0.01)
          shot.to[static_cast<std::size_t>(64 * y + x)] =
              static_cast<float>(3 - 0.5 - std::sqrt(inside) + beyond);
      }
    const Picture picture = shoot(source, shot);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        const double dx = (x + 0.5) / 64 - 0.5, dy = (y + 0.5) / 64 - 0.5, inside = 0.16 - dx * dx - dy * dy;
        if (inside < -0.01) QCOMPARE(picture.at(x, y)[3], 0.0F);
        if (inside > 0.01) QCOMPARE(picture.at(x, y)[3], beyond > 0 ? 1.0F : 0.0F);
      }
  }
}

void TestCaster::anIsosurfaceHasItsColorWhateverTheOpacities() {
  const Vec3 middle{0.5, 0.5, 0.5};
  FormulaBricks source(cube(33), [&](Vec3 p) { return length(p - middle); });
  Shot shot = ofMode(scene::VolumeMode::Isosurface);
  shot.look.value = 0.4;
  shot.step = 1.0 / 32;
  const Picture all = shoot(source, shot);
  // Opacities that are nothing at the value, whether they lie below it, above it or around it.
  const std::vector<std::vector<scene::OpacityPoint>> opacities = {{{0.1, 0}, {0.2, 1}, {0.3, 0}},
                                                                   {{0.5, 0}, {0.6, 1}, {0.7, 0}},
                                                                   {{0.1, 1}, {0.2, 0}, {0.5, 0}, {0.6, 1}}};
  for (const auto& opacity : opacities) {
    shot.look.opacity = opacity;
    QVERIFY(shoot(source, shot).rgba == all.rgba);
  }
}

void TestCaster::lightKeepsTheHue_data() {
  QTest::addColumn<int>("mode");
  QTest::newRow("composite") << static_cast<int>(scene::VolumeMode::Composite);
  QTest::newRow("isosurface") << static_cast<int>(scene::VolumeMode::Isosurface);
}

/// Of a bright colour, too: no channel is cut off where light and shine are strongest.
void TestCaster::lightKeepsTheHue() {
  QFETCH(int, mode);
  FormulaBricks source(cube(70), [](Vec3 p) { return 1 - length(p - Vec3{0.5, 0.5, 0.5}); });
  Shot shot = ofMode(static_cast<scene::VolumeMode>(mode));
  shot.look.value = 0.6;
  shot.look.lit = true;
  if (shot.look.mode == scene::VolumeMode::Composite) shot.look.opacity = {{0.55, 0}, {0.6, 0.5}};
  // All of one hue: the second part lies in the middle between the others, whatever is mixed with white.
  shot.scale.map.points = {{0, {250, 140, 30}}, {1, {250, 140, 30}}};
  shot.step = shot.unit = 1.0 / 138;
  const Picture picture = shoot(source, shot);
  int seen = 0;
  double off = 0;
  float lightest = 0, darkest = 1;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const float* const at = picture.at(x, y);
      if (at[3] < 0.9F) continue;
      ++seen;
      off = std::max(off, std::abs(static_cast<double>((at[1] - at[2]) / (at[0] - at[2])) - 0.5));
      lightest = std::max(lightest, at[0]);
      darkest = std::min(darkest, at[0]);
    }
  QVERIFY(seen > 500);
  QVERIFY2(off < 0.01, qPrintable(QString::number(off)));
  QVERIFY2(lightest <= 1 && lightest > 0.9F && darkest < 0.8F,
           qPrintable(QString("%1 ... %2").arg(darkest).arg(lightest)));
}

void TestCaster::maximumAndNearest() {
  FormulaBricks source(cube(33), [](Vec3 p) {
    return std::abs(p.x - 0.5) < 0.01 && std::abs(p.y - 0.5) < 0.01 && std::abs(p.z - 0.5) < 0.01;
  });
  Shot shot = ofMode(scene::VolumeMode::Maximum);
  shot.look.nearest = true;
  shot.step = 1.0 / 128;
  shot.width = shot.height = 128;
  const Picture picture = shoot(source, shot);
  int bright = 0;
  for (int y = 0; y < 128; ++y)
    for (int x = 0; x < 128; ++x) bright += picture.at(x, y)[0] > 0.5F;
  QCOMPARE(bright, 16);  // one node of 33, which owns 4 x 4 pixels of 128
}

void TestCaster::intervalsOfRaysMakeTheWhole() {
  FormulaBricks source(cube(70), marschnerLobb);
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0.3, 0}, {1, 0.2}};
  shot.step = 1.0 / 69;
  shot.unit = 1.0 / 20;
  const Picture whole = shoot(source, shot);
  std::vector<float> cut(64 * 64);
  for (std::size_t n = 0; n < cut.size(); ++n) cut[n] = 2.5F + 0.0001F * static_cast<float>(n % 4000);
  Shot front = shot, behind = shot;
  front.to = cut;
  behind.from = cut;
  const Picture a = shoot(source, front), b = shoot(source, behind);
  for (std::size_t n = 0; n < whole.rgba.size(); ++n) {
    const float under = 1 - a.rgba[n / 4 * 4 + 3];
    QVERIFY(std::abs(a.rgba[n] + under * b.rgba[n] - whole.rgba[n]) < 3e-3F);
  }
}

void TestCaster::somethingOpaqueEndsRays() {
  FormulaBricks source(cube(40), [](Vec3) { return 1.0; });
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0, 0.5}, {2, 0.5}};
  shot.step = 1.0 / 39;
  shot.to.assign(64 * 64, 2.25F);  // of the way from 2 to 3
  const Picture picture = shoot(source, shot);
  QVERIFY(std::abs(static_cast<double>(picture.at(20, 20)[3]) - (1 - std::pow(0.5, 0.25))) < 2e-3);
}

void TestCaster::clipsByBoxAndPlanes() {
  FormulaBricks source(cube(40), [](Vec3) { return 1.0; });
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0, 0.5}, {2, 0.5}};
  shot.step = 1.0 / 39;
  shot.look.clipBox = {Vec3{0.25, 0, 0.5}, Vec3{1, 1, 0.9}};
  shot.look.clipPlanes = {{{0, 0.5, 0}, {0, 1, 0}}};
  const Picture picture = shoot(source, shot);
  QCOMPARE(picture.at(10, 10)[3], 0.0F);  // left of the box
  QCOMPARE(picture.at(30, 40)[3], 0.0F);  // below the plane
  QVERIFY(std::abs(static_cast<double>(picture.at(30, 20)[3]) - (1 - std::pow(0.5, 0.4))) < 2e-3);
}

void TestCaster::theEyeMayBeInside() {
  FormulaBricks source(cube(100), [](Vec3) { return 1.0; });
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0, 0.5}, {2, 0.5}};
  shot.step = 1.0 / 99;
  shot.camera = {{0.5, 0.5, 0.5}, {0.5, 0.5, 0}, {0, 1, 0}, 40};
  const Picture picture = shoot(source, shot);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const double slope = std::tan(M_PI / 9), u = slope * (2 * (x + 0.5) / 64 - 1),
                   v = slope * (2 * (y + 0.5) / 64 - 1);
      const double exact = 1 - std::pow(0.5, 0.5 * std::sqrt(1 + u * u + v * v));
      QVERIFY(std::abs(static_cast<double>(picture.at(x, y)[3]) - exact) < 2e-3);
    }
}

void TestCaster::rectilinearAxesNeedNoResampling() {
  volume::BrickGrid grid = cube(60);
  for (std::size_t a = 0; a < 3; ++a)
    for (int n = 0; n < 60; ++n) grid.axes[a].push_back(std::pow(n / 59.0, a == 0 ? 1.7 : 1.2));
  FormulaBricks source(grid, [](Vec3 p) { return 3 * p.x - 2 * p.y + p.z; });
  Shot shot = ofMode(scene::VolumeMode::Average);
  shot.scale.min = -2;
  shot.scale.max = 4;
  shot.step = 1.0 / 400;
  const Picture picture = shoot(source, shot);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const double value = 3 * (x + 0.5) / 64 - 2 * (1 - (y + 0.5) / 64) + 0.5;
      QVERIFY(std::abs(static_cast<double>(picture.at(x, y)[0]) - (value + 2) / 6) < 2.5e-3);
    }
}

void TestCaster::sameBytesHoweverItIsDone() {
  for (const auto mode :
       {scene::VolumeMode::Composite, scene::VolumeMode::Maximum, scene::VolumeMode::Isosurface}) {
    for (const auto& format :
         {volume::BrickFormat{}, volume::BrickFormat{volume::BrickType::U8, 1.0 / 255, 0},
          volume::BrickFormat{volume::BrickType::U16, 1.0 / 65535, 0}}) {
      FormulaBricks source(cube(70), marschnerLobb, format);
      Shot shot = ofMode(mode);
      shot.look.value = 0.5;
      shot.look.lit = true;
      if (mode == scene::VolumeMode::Composite) shot.look.opacity = {{0.4, 0}, {0.6, 0.3}};
      shot.step = shot.unit = 1.0 / 69;
      shot.camera = {{2, -1.5, 1.7}, {0.5, 0.5, 0.5}, {0, 0, 1}, 30};
      shot.width = 90;
      const Picture one = shoot(source, shot);
      QVERIFY(one.stats.samples > 0);
      Shot other = shot;
      other.processors = 1;
      other.poolBytes = 3 * volume::Brick::bytesOf(format);
      source.kind = tasks::SchedulerKind::Fibers;
      QVERIFY(shoot(source, other).rgba == one.rgba);
      volume::marchNarrow(true);
      const Picture narrow = shoot(source, shot);
      volume::marchNarrow(false);
      QVERIFY(narrow.rgba == one.rgba);
    }
  }
}

/// Whatever the budget, the picture is the same; and one that is said to be enough is, bricks that others left behind included.
void TestCaster::littleMemoryCastsInParts() {
  FormulaBricks source(cube(70), marschnerLobb);
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0.4, 0}, {0.6, 0.3}};
  shot.step = shot.unit = 1.0 / 69;
  shot.width = 200;
  shot.height = 330;
  const Picture whole = shoot(source, shot);
  const volume::RayCamera camera(shot.camera, shot.width, shot.height);
  volume::CastJob job{.look = shot.look, .scale = shot.scale, .camera = camera, .rows = shot.height};
  job.unitLength = shot.unit;
  job.stepLength = shot.step;
  job.processors = 2;
  double part = 0;
  bool isOrdered = true;
  job.progress = [&](std::size_t done, std::size_t total) {
    const double now = static_cast<double>(done) / static_cast<double>(total);
    isOrdered = isOrdered && now >= part && now <= 1;
    part = now;
  };
  const std::uint64_t least = volume::leastCastBytes(source, job, volume::kTileSide);
  const std::uint64_t all = volume::leastCastBytes(source, job, shot.height);
  QVERIFY(all > 3 * least / 2);
  // Where there is room for one brick and not for two, too: what is tried then must leave nothing behind.
  std::vector<std::uint64_t> budgets{least + least / 4, (least + all) / 2, 2 * all};
  for (std::uint64_t n = 0; n < 12; ++n)
    budgets.push_back(least + n * volume::Brick::bytesOf(source.format()) / 3);
  for (const std::uint64_t budget : budgets) {
    MemoryAccount account(2 * all);
    auto pool = std::make_unique<volume::BrickPool>(source, account, all);
    const auto cast = [&] {
      Picture picture{shot.width, shot.height, {}, {}};
      picture.rgba.resize(whole.rgba.size());
      part = 0;
      volume::castInBands(source, pool, account, job, picture.rgba, picture.stats, [] { return false; });
      return picture.rgba == whole.rgba && isOrdered && part == 1;
    };
    QVERIFY(cast());
    QVERIFY(account.usedBytes() > 0);  // bricks for the next picture
    account.setBudgetBytes(budget);
    QVERIFY2(cast(), qPrintable(QString::number(budget)));
    QVERIFY(account.usedBytes() <= budget);
  }
  MemoryAccount little(least / 2);
  auto pool = std::make_unique<volume::BrickPool>(source, little, least);
  Picture picture{shot.width, shot.height, {}, {}};
  picture.rgba.resize(whole.rgba.size());
  try {
    volume::castInBands(source, pool, little, job, picture.rgba, picture.stats, [] { return false; });
    QFAIL("it was drawn");
  } catch (const OverBudget& error) {
    QVERIFY2(error.message().starts_with("the picture of the volume needs "), error.what());
    QCOMPARE(error.action(), adviceToGive(least));
  }
}

void TestCaster::bricksBehindWhatIsOpaqueAreNotRead() {
  FormulaBricks source(cube(257), [](Vec3) { return 1.0; });
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0, 0.9}, {2, 0.9}};
  shot.step = shot.unit = 1.0 / 256;
  shot.poolBytes = 64 * volume::Brick::bytesOf({});
  const Picture picture = shoot(source, shot);
  QCOMPARE(picture.stats.bricks, 512U);
  QVERIFY(picture.stats.bricksRead < 200);
  QCOMPARE(static_cast<std::uint64_t>(source.reads), picture.stats.bricksRead);
}

void TestCaster::bricksOfAPageAreReadTogether() {
  // Pages of rows, and memory for a few rows of bricks: along a diagonal, order by depth alone would read each row again
  // for each of its bricks.
  FormulaBricks source(cube(129), marschnerLobb);
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity = {{0.4, 0}, {0.6, 0.05}};
  shot.step = shot.unit = 1.0 / 128;
  shot.camera = {{2, -1.5, 1.7}, {0.5, 0.5, 0.5}, {0, 0, 1}, 30};
  const Picture whole = shoot(source, shot);
  shot.poolBytes = 17 * volume::Brick::bytesOf({});
  const auto rowsRead = [&](const Vec3& together) {
    source.order.clear();
    source.together = together;
    const Picture picture = shoot(source, shot);
    [&] {
      QVERIFY(picture.rgba == whole.rgba);
      QCOMPARE(source.order.size(), std::size_t{64});
    }();
    int rows = 1;
    for (std::size_t n = 1; n < source.order.size(); ++n)
      if (source.order[n][1] != source.order[n - 1][1] || source.order[n][2] != source.order[n - 1][2])
        ++rows;
    return rows;
  };
  QVERIFY(rowsRead({1, 1, 1}) > 32);
  QCOMPARE(rowsRead({4, 0.25, 0.1}), 16);
}

void TestCaster::wrongLooksAreRefused() {
  FormulaBricks source(cube(10), [](Vec3) { return 1.0; });
  Shot shot = ofMode(scene::VolumeMode::Composite);
  shot.look.opacity.clear();
  QVERIFY_THROWS_EXCEPTION(Invalid, shoot(source, shot));
}

QTEST_GUILESS_MAIN(TestCaster)
#include "tst_caster.moc"
