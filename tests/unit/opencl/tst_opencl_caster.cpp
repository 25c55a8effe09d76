#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "render/volume/cast_look.h"
#include "tests/unit/opencl/device_shots.h"

using namespace farfield;
using scene::VolumeMode;
using test::cube;
using test::DeviceShot;
using test::FormulaBricks;
using test::Picture;
using test::psnr;
using test::shoot;
using test::shootOn;
using test::Shot;
using volume::BrickFormat;
using volume::BrickType;

class TestOpenClCaster : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void picturesAreTheProcessors_data();
  void picturesAreTheProcessors();
  void coloursOfManyDecades();
  void narrowOpacities();
  void aSlabHasItsClosedForm();
  void aLinearFieldHasNoSeams();
  void rectilinearAxes();
  void depthAndClipping();
  void theEyeMayBeInside();
  void aFewSlotsAreEnough_data();
  void aFewSlotsAreEnough();
  void whatIsThereIsNotReadAgain();
  void memoryOfItsOwn();
  void coarserBricksMeanwhile();
  void bricksBehindWhatIsOpaqueAreNotRead();
  void memoryIsClaimed();
  void stops();

 private:
  std::shared_ptr<const opencl::Device> m_device;
};

namespace {

double marschnerLobb(Vec3 p) {
  const double x = 2 * p.x - 1, y = 2 * p.y - 1, z = 2 * p.z - 1;
  const double rho = std::cos(2 * M_PI * 6 * std::cos(M_PI * std::sqrt(x * x + y * y) / 2));
  return (1 - std::sin(M_PI * z / 2) + 0.25 * (1 + rho)) / (2 * (1 + 0.25));
}

double ball(Vec3 p) {
  return 1 - length(p - Vec3{0.5, 0.5, 0.5});
}

/// With a hole in which there is no value.
double holed(Vec3 p) {
  return length(p - Vec3{0.3, 0.6, 0.5}) < 0.2 ? NAN : marschnerLobb(p);
}

Shot ofMode(VolumeMode mode) {
  Shot shot;
  shot.look.mode = mode;
  shot.look.opacity = {{-100, 1}, {100, 1}};
  shot.look.value = 0.5;
  if (mode == VolumeMode::Composite) shot.look.opacity = {{0.35, 0}, {0.6, 0.1}, {1, 0.4}};
  shot.camera = {{2, -1.5, 1.7}, {0.5, 0.5, 0.5}, {0, 0, 1}, 30};
  shot.scale.map.points = {{0, {20, 40, 160}}, {0.5, {240, 240, 200}}, {1, {190, 30, 20}}};
  shot.step = shot.unit = 1.0 / 69;
  shot.width = 110;
  shot.height = 90;
  return shot;
}

constexpr double kAgree = 50;

}  // namespace

void TestOpenClCaster::initTestCase() {
  m_device = test::anyDevice();
  if (!m_device) QSKIP("no OpenCL driver has a device");
}

void TestOpenClCaster::picturesAreTheProcessors_data() {
  QTest::addColumn<int>("mode");
  QTest::addColumn<int>("type");
  QTest::addColumn<bool>("image");
  QTest::addColumn<bool>("doubles");
  const char* const modes[] = {"composite", "maximum", "average", "isosurface"};
  for (int mode = 0; mode < 4; ++mode)
    for (int type = 0; type < 3; ++type)
      for (const bool image : {false, true})
        QTest::addRow("%s %d %s", modes[mode], type, image ? "image" : "buffer")
            << mode << type << image << true;
  QTest::newRow("composite, single precision") << 0 << 2 << false << false;
  QTest::newRow("isosurface, single precision") << 3 << 0 << false << false;
}

void TestOpenClCaster::picturesAreTheProcessors() {
  QFETCH(int, mode);
  QFETCH(int, type);
  QFETCH(bool, image);
  QFETCH(bool, doubles);
  const BrickFormat formats[] = {{BrickType::U8, 1.0 / 255, 0}, {BrickType::U16, 1.0 / 65535, 0}, {}};
  const BrickFormat format = formats[type];
  if (image && !m_device->takesImages(format.type)) QSKIP("the device has no such images");
  double (*const formulas[])(Vec3) = {marschnerLobb, ball, holed};
  for (int which = 0; which < (format.type == BrickType::F32 ? 3 : 2); ++which) {
    FormulaBricks source(cube(70), formulas[which], format);
    Shot shot = ofMode(static_cast<VolumeMode>(mode));
    for (const bool nearest : {false, true}) {
      shot.look.nearest = nearest;
      shot.look.lit = !nearest;
      const Picture wanted = shoot(source, shot);
      const Picture got = shootOn(m_device, source, shot, {.image = image, .doubles = doubles});
      QVERIFY(got.stats.samples > 0);
      const double decibels = psnr(wanted, got);
      QVERIFY2(decibels >= kAgree,
               qPrintable(QString("%1 dB, formula %2, nearest %3").arg(decibels).arg(which).arg(nearest)));
    }
  }
}

/// By the bits of values, in each format.
void TestOpenClCaster::coloursOfManyDecades() {
  const BrickFormat formats[] = {{BrickType::U8, 1e8 / 255, 0}, {BrickType::U16, 1e8 / 65535, -1e4}, {}};
  // Also of values that are all very small, as mass fractions are.
  const std::pair<BrickFormat, double> cases[] = {
      {formats[0], 1}, {formats[1], 1}, {formats[2], 1}, {formats[2], 1e-20}};
  for (const auto& [format, unit] : cases) {
    FormulaBricks source(
        cube(70), [unit = unit](Vec3 at) { return unit * std::pow(10, 8 * at.x); }, format);
    Shot shot = ofMode(VolumeMode::Composite);
    shot.scale.min = unit;
    shot.scale.max = 1e8 * unit;
    shot.scale.logarithmic = true;
    shot.look.opacity = {{0, 0.05}, {1e8 * unit, 0.2}};
    const Picture wanted = shoot(source, shot), got = shootOn(m_device, source, shot);
    QVERIFY(got.stats.samples > 0);
    QVERIFY2(psnr(wanted, got) >= kAgree, qPrintable(QString::number(psnr(wanted, got))));
    if (format.type != BrickType::F32) continue;
    // No two decades have one colour.
    shot.look.mode = VolumeMode::Maximum;
    shot.look.opacity = {{0, 1}, {1e8 * unit, 1}};
    shot.camera = test::alongZ();
    for (const Picture& picture : {shoot(source, shot), shootOn(m_device, source, shot)}) {
      const auto at = [&](double x) { return picture.at(int(x * shot.width), shot.height / 2); };
      for (double x = 0.2; x < 0.75; x += 0.07) {
        double difference = 0;
        for (unsigned c = 0; c < 3; ++c)
          difference += std::abs(static_cast<double>(at(x + 0.07)[c]) - static_cast<double>(at(x)[c]));
        QVERIFY2(difference > 0.01, qPrintable(QString::number(x)));
      }
    }
  }
}

/// Peaks that are far narrower than the range of the colours are shells, with the opacity that they have.
void TestOpenClCaster::narrowOpacities() {
  FormulaBricks source(cube(70), [](Vec3 at) { return 1000 * at.x; });
  Shot shot = ofMode(VolumeMode::Composite);
  shot.scale.min = 0;
  shot.scale.max = 1e6;
  shot.look.opacity = {{0, 0.002},   {300, 0.002}, {301, 0.3},   {330, 0.3},
                       {331, 0.002}, {9e5, 0.002}, {900001, 0.5}};
  const Picture wanted = shoot(source, shot), got = shootOn(m_device, source, shot);
  QVERIFY(psnr(wanted, got) >= kAgree);
  shot.look.mode = VolumeMode::Maximum;
  shot.camera = test::alongZ();
  for (const Picture& picture : {shoot(source, shot), shootOn(m_device, source, shot)}) {
    int seen = 0;
    for (int x = 0; x < shot.width; ++x) seen += picture.at(x, shot.height / 2)[3] > 0.25F;
    QVERIFY(seen >= 1 && seen < shot.width / 8);
  }
}

void TestOpenClCaster::aSlabHasItsClosedForm() {
  FormulaBricks source(cube(71), [](Vec3) { return 1.0; });
  Shot shot = ofMode(VolumeMode::Composite);
  shot.camera = test::alongZ();
  shot.look.opacity = {{0, 0.3}, {2, 0.3}};
  shot.unit = 0.4;
  shot.width = shot.height = 64;
  for (const double step : {1.0 / 70, 0.0133, 0.3}) {
    shot.step = step;
    const Picture picture = shootOn(m_device, source, shot);
    const double exact = 1 - std::pow(0.7, 1 / 0.4);
    for (int p = 0; p < 64; p += 7)
      QVERIFY(std::abs(static_cast<double>(picture.at(p, 63 - p)[3]) - exact) < 2e-3);
  }
}

void TestOpenClCaster::aLinearFieldHasNoSeams() {
  FormulaBricks source(cube(129), [](Vec3 p) { return 3 * p.x - 2 * p.y + p.z; });
  Shot shot = ofMode(VolumeMode::Average);
  shot.scale.map.points = {{0, {0, 0, 0}}, {1, {255, 255, 255}}};
  shot.camera = test::alongZ();
  shot.scale.min = -2;
  shot.scale.max = 4;
  shot.width = shot.height = 100;
  shot.step = 1.0 / 200;
  const Picture picture = shootOn(m_device, source, shot);
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 100; ++x) {
      const double value = 3 * (x + 0.5) / 100 - 2 * (1 - (y + 0.5) / 100) + 0.5;
      QVERIFY(std::abs(static_cast<double>(picture.at(x, y)[0]) - (value + 2) / 6) < 2.5e-3);
    }
}

void TestOpenClCaster::rectilinearAxes() {
  volume::BrickGrid grid = cube(80);
  for (std::size_t a = 0; a < 3; ++a)
    for (int n = 0; n < 80; ++n) grid.axes[a].push_back(std::pow(n / 79.0, a == 0 ? 1.7 : 1.2));
  FormulaBricks source(grid, marschnerLobb);
  for (const VolumeMode mode : {VolumeMode::Composite, VolumeMode::Average, VolumeMode::Isosurface}) {
    Shot shot = ofMode(mode);
    shot.look.lit = true;
    const Picture wanted = shoot(source, shot);
    for (const bool doubles : {true, false})
      QVERIFY(psnr(wanted, shootOn(m_device, source, shot, {.doubles = doubles})) >= kAgree);
  }
}

void TestOpenClCaster::depthAndClipping() {
  FormulaBricks source(cube(70), marschnerLobb);
  for (const VolumeMode mode : {VolumeMode::Composite, VolumeMode::Maximum, VolumeMode::Isosurface}) {
    Shot shot = ofMode(mode);
    shot.look.clipBox = {Vec3{0.2, 0.1, 0}, Vec3{1, 0.9, 0.8}};
    shot.look.clipPlanes = {{{0.5, 0.5, 0.5}, {1, 0.4, -0.3}}, {{0.9, 0, 0}, {-1, 0, 0.2}}};
    const std::size_t rays = static_cast<std::size_t>(shot.width * shot.height);
    shot.from.resize(rays);
    shot.to.resize(rays);
    for (std::size_t n = 0; n < rays; ++n) {
      shot.from[n] = 2.0F + 0.3F * std::sin(0.01F * static_cast<float>(n));
      shot.to[n] = n % 5 == 0 ? INFINITY : 2.9F + 0.2F * std::cos(0.02F * static_cast<float>(n));
    }
    const double decibels = psnr(shoot(source, shot), shootOn(m_device, source, shot));
    QVERIFY2(decibels >= kAgree, qPrintable(QString::number(decibels)));
  }
}

void TestOpenClCaster::theEyeMayBeInside() {
  FormulaBricks source(cube(100), marschnerLobb);
  Shot shot = ofMode(VolumeMode::Composite);
  shot.camera = {{0.5, 0.4, 0.5}, {0.5, 0.5, 0}, {0, 1, 0}, 60};
  QVERIFY(psnr(shoot(source, shot), shootOn(m_device, source, shot)) >= kAgree);
  shot.camera = {{0.5, 0.4, 0.5}, {0.7, 0.5, 0}, {0, 1, 0}, 30, true, 0.8};
  QVERIFY(psnr(shoot(source, shot), shootOn(m_device, source, shot)) >= kAgree);
}

void TestOpenClCaster::aFewSlotsAreEnough_data() {
  QTest::addColumn<bool>("image");
  QTest::newRow("buffer") << false;
  QTest::newRow("image") << true;
}

void TestOpenClCaster::aFewSlotsAreEnough() {
  QFETCH(bool, image);
  if (image && !m_device->takesImages(BrickType::F32)) QSKIP("the device has no such images");
  FormulaBricks source(cube(129), marschnerLobb);
  for (const VolumeMode mode : {VolumeMode::Composite, VolumeMode::Maximum, VolumeMode::Isosurface}) {
    const Shot shot = ofMode(mode);
    const Picture whole = shootOn(m_device, source, shot, {.image = image});
    QVERIFY(psnr(shoot(source, shot), whole) >= kAgree);
    for (const int most : {2, 9}) {
      const Picture few = shootOn(m_device, source, shot, {.image = image, .bricks = most});
      // The same arithmetic in the same order, whenever bricks come. Places in an image are rounded by where the brick lies.
      QVERIFY2(image ? psnr(few, whole) > 90 : few.rgba == whole.rgba, qPrintable(QString::number(most)));
      QCOMPARE(few.stats.samples, whole.stats.samples);
      QCOMPARE(few.stats.bricks, whole.stats.bricks);
    }
  }
}

// As on a graphics card: rays stay on the device from picture to picture, and pictures come by way of shared memory.
void TestOpenClCaster::memoryOfItsOwn() {
  opencl::DeviceFacts facts = m_device->facts();
  facts.shared = false;
  const auto card = std::make_shared<opencl::Device>(opencl::ClCalls{}, facts);
  FormulaBricks source(cube(65), marschnerLobb);
  MemoryAccount account(std::uint64_t{1} << 30);
  {
    const auto caster = test::casterFor(card, source, account, {});
    for (const VolumeMode mode : {VolumeMode::Composite, VolumeMode::Average})
      for (const int width : {150, 150, 97}) {
        Shot shot = ofMode(mode);
        shot.width = width;
        Picture got{width, shot.height, {}, {}};
        got.rgba.resize(4 * static_cast<std::size_t>(width * shot.height));
        const volume::RayCamera camera(shot.camera, width, shot.height);
        QVERIFY(caster->cast(source, nullptr, test::jobOf(shot, camera), got.rgba, got.stats));
        QCOMPARE(got.rgba, shootOn(m_device, source, shot).rgba);
      }
  }
  QCOMPARE(account.usedBytes(), 0U);
}

void TestOpenClCaster::whatIsThereIsNotReadAgain() {
  FormulaBricks source(cube(97), marschnerLobb);
  MemoryAccount account(std::uint64_t{1} << 30);
  const auto caster = test::casterFor(m_device, source, account, {});
  Shot shot = ofMode(VolumeMode::Composite);
  std::vector<float> rgba(4 * static_cast<std::size_t>(shot.width * shot.height));
  const volume::RayCamera camera(shot.camera, shot.width, shot.height);
  shot.look.opacity = {{0, 0.01}, {1, 0.02}};
  volume::CastStats stats;
  QVERIFY(caster->cast(source, nullptr, test::jobOf(shot, camera), rgba, stats));
  QCOMPARE(source.reads, 27);
  QCOMPARE(stats.bricksRead, 27U);
  // Other colours, other opacities, another view.
  shot.look.opacity = {{0.5, 0}, {1, 0.3}};
  const Picture wanted = shoot(source, shot);
  const int before = source.reads;
  stats = {};
  caster->cast(source, nullptr, test::jobOf(shot, camera), rgba, stats);
  QCOMPARE(source.reads, before);
  QCOMPARE(stats.bricksRead, 0U);
  QVERIFY(psnr(wanted, {shot.width, shot.height, rgba, {}}) >= kAgree);
  const volume::RayCamera other({{-2, 0.5, 0.7}, {0.5, 0.5, 0.5}, {0, 0, 1}, 30}, shot.width, shot.height);
  caster->cast(source, nullptr, test::jobOf(shot, other), rgba, stats);
  QCOMPARE(source.reads, before);
}

void TestOpenClCaster::coarserBricksMeanwhile() {
  FormulaBricks fine(cube(129), ball);
  volume::BrickGrid grid = cube(33);
  grid.level = 2;
  FormulaBricks coarse(grid, ball);
  MemoryAccount account(std::uint64_t{1} << 30);
  for (const VolumeMode mode : {VolumeMode::Composite, VolumeMode::Isosurface, VolumeMode::Average}) {
    Shot shot = ofMode(mode);
    shot.step = 1.0 / 128;
    const Picture wanted = shoot(fine, shot);
    const volume::RayCamera camera(shot.camera, shot.width, shot.height);
    const auto fresh = test::casterFor(m_device, fine, account, {});
    Picture picture{shot.width, shot.height, std::vector<float>(wanted.rgba.size()), {}};
    fine.reads = coarse.reads = 0;
    bool complete = fresh->cast(fine, &coarse, test::jobOf(shot, camera), picture.rgba, picture.stats);
    QVERIFY(!complete);
    QVERIFY(coarse.reads == 1);
    // A ball is nearly the same at both levels: what stands in lies where it should, with the same opacity.
    const double meanwhile = psnr(wanted, picture);
    QVERIFY2(meanwhile > 28, qPrintable(QString::number(meanwhile)));
    for (int n = 0; n < 8 && !complete; ++n)
      complete = fresh->cast(fine, &coarse, test::jobOf(shot, camera), picture.rgba, picture.stats);
    QVERIFY(complete);
    QVERIFY(psnr(wanted, picture) >= kAgree);
    QCOMPARE(coarse.reads, 1);
  }
}

void TestOpenClCaster::bricksBehindWhatIsOpaqueAreNotRead() {
  FormulaBricks source(cube(257), [](Vec3) { return 1.0; }, {BrickType::U8, 1.0 / 255, 0});
  Shot shot = ofMode(VolumeMode::Composite);
  shot.look.opacity = {{0, 0.9}, {2, 0.9}};
  shot.step = shot.unit = 1.0 / 256;
  const Picture picture = shootOn(m_device, source, shot, {.bricks = 200});
  QVERIFY(picture.stats.bricksRead < 200);
  QCOMPARE(static_cast<std::uint64_t>(source.reads), picture.stats.bricksRead);
}

void TestOpenClCaster::memoryIsClaimed() {
  FormulaBricks source(cube(129), marschnerLobb);
  MemoryAccount device(std::uint64_t{1} << 30), host(std::uint64_t{1} << 30);
  const volume::BrickFormat format = source.format();
  {
    opencl::OpenClCaster caster({.device = m_device,
                                 .form = {format.type, false, m_device->facts().doubles},
                                 .format = format,
                                 .bricks = 1000,
                                 .mostBytes = 2'000'000,
                                 .deviceAccount = device,
                                 .host = host});
    const std::uint64_t brick = volume::kBrickValues * sizeof(float);
    QCOMPARE(caster.slotCount(), 2'000'000 / (brick + 16 + 1024));
    QVERIFY(device.usedBytes(Purpose::Device) >= caster.slotCount() * brick);
    QVERIFY(device.usedBytes(Purpose::Device) <= 2'000'000);
    const Shot shot = ofMode(VolumeMode::Composite);
    const volume::RayCamera camera(shot.camera, shot.width, shot.height);
    std::vector<float> rgba(4 * static_cast<std::size_t>(shot.width * shot.height));
    volume::CastStats stats;
    caster.cast(source, nullptr, test::jobOf(shot, camera), rgba, stats);
    QVERIFY(device.peakBytes() < 4'500'000);  // and the rays and tables
    QVERIFY(host.peakBytes() < 64 * (brick + 1024) + 1'000'000);
    // Where opacities are steep in many places tables have a million entries.
    Shot steep = shot;
    steep.look.opacity.clear();
    for (int n = 0; n < 256; ++n)
      for (const auto& [after, opacity] : {std::pair{0.0, 0.0}, {1e-6, 1.0}, {2e-6, 0.0}})
        steep.look.opacity.push_back({n / 256.0 + after, opacity});
    const volume::CastJob job = test::jobOf(steep, camera);
    const volume::CastLook look(source.grid(), format, job);
    const std::uint64_t tables = look.table().alpha().size_bytes() + look.table().color().size_bytes() +
                                 look.table().cells().size_bytes();
    QVERIFY(tables > std::uint64_t{2} << 20);
    caster.cast(source, nullptr, job, rgba, stats);
    QVERIFY(device.peakBytes() >= device.usedBytes(Purpose::Device) + tables);
  }
  QCOMPARE(device.usedBytes(), 0U);
  QCOMPARE(host.usedBytes(), 0U);
  MemoryAccount little(200'000);
  QVERIFY_THROWS_EXCEPTION(OverBudget, test::casterFor(m_device, source, little, {.bricks = 2}));
}

void TestOpenClCaster::stops() {
  FormulaBricks source(cube(70), marschnerLobb);
  MemoryAccount account(std::uint64_t{1} << 30);
  const auto caster = test::casterFor(m_device, source, account, {});
  const Shot shot = ofMode(VolumeMode::Composite);
  const volume::RayCamera camera(shot.camera, shot.width, shot.height);
  std::vector<float> rgba(4 * static_cast<std::size_t>(shot.width * shot.height));
  std::stop_source stop;
  stop.request_stop();
  volume::CastJob job = test::jobOf(shot, camera);
  job.stop = stop.get_token();
  volume::CastStats stats;
  QVERIFY_THROWS_EXCEPTION(Cancelled, caster->cast(source, nullptr, job, rgba, stats));
  job.stop = {};
  QVERIFY(caster->cast(source, nullptr, job, rgba, stats));
  QVERIFY(psnr(shoot(source, shot), {shot.width, shot.height, rgba, {}}) >= kAgree);
}

QTEST_GUILESS_MAIN(TestOpenClCaster)
#include "tst_opencl_caster.moc"
