// What farfield-slabd renders on several processes, and the program draws: the same picture as the volume itself, step after
// step, with processes that die, strangers at the port and wrong tokens.

#include <png.h>
#include <signal.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/devices/tcp_relay.h"
#include "tests/cli/program.h"
#include "tests/remote/raw_client.h"
#include "tests/remote/server_process.h"
#include "tests/system/slab_renderer.h"

namespace farfield::test {
namespace {

constexpr double kMiddle = 3.141592653589793;
constexpr const char* kBy = "velocity-magnitude";
constexpr const char* kToken = "a-token-of-this-test-alone";

struct Pixels {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

Pixels pixelsIn(const QString& path) {
  Pixels pixels;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.toLocal8Bit().constData())) return pixels;
  image.format = PNG_FORMAT_RGB;
  pixels.rgb.resize(PNG_IMAGE_SIZE(image));
  pixels.width = image.width;
  pixels.height = image.height;
  if (!png_image_finish_read(&image, nullptr, pixels.rgb.data(), 0, nullptr)) pixels.rgb.clear();
  return pixels;
}

/// Peak signal to noise, in dB; 0 for pictures that are none or of different sizes.
double psnr(const QString& one, const QString& other) {
  const Pixels a = pixelsIn(one), b = pixelsIn(other);
  if (a.rgb.empty() || a.rgb.size() != b.rgb.size() || a.width != b.width) return 0;
  double sum = 0;
  for (std::size_t n = 0; n < a.rgb.size(); ++n) {
    const double difference = static_cast<double>(a.rgb[n]) - static_cast<double>(b.rgb[n]);
    sum += difference * difference;
  }
  return sum == 0 ? 99 : 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.rgb.size()) / sum);
}

/// How many different colours there are, which an empty picture has few of.
std::size_t coloursIn(const QString& path) {
  const Pixels pixels = pixelsIn(path);
  std::vector<bool> seen(1 << 15);
  std::size_t count = 0;
  for (std::size_t n = 0; n + 2 < pixels.rgb.size(); n += 3) {
    const std::size_t colour = static_cast<std::size_t>(pixels.rgb[n] >> 3) << 10 |
                               static_cast<std::size_t>(pixels.rgb[n + 1] >> 3) << 5 |
                               static_cast<std::size_t>(pixels.rgb[n + 2] >> 3);
    if (!seen[colour]) ++count;
    seen[colour] = true;
  }
  return count;
}

}  // namespace

class TestSlabs : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void axisViewsEqualTheVolume_data();
  void axisViewsEqualTheVolume();
  void whatThePictureCutsAwayIsNotThere();
  void stepsFollowTheData();
  void obliqueViewsAreClose();
  void manySlabsAreAllSeen();
  void nothingJumpsBetweenAxes();
  void changesStandOut();
  void framesEqualTheVolume_data();
  void framesEqualTheVolume();
  void whatIsNoLayersIsAFrame_data();
  void whatIsNoLayersIsAFrame();
  void aTokenIsAskedFor();
  void tlsIsSpoken();
  void devicesCastTheSame();
  void strangersChangeNothing();
  void survivesCuts();
  void dataRendererAndViewerApart();
  void othersTakeOverForAKilledRank();
  void othersReadForThoseWhoRender();
  void twoViewersAtATime();
  void nobodyThere();
  void saysWhatItShows();
  void refusesToStart();

 private:
  QString at(const QString& name) const { return m_folder.filePath(name); }
  /// Pictures of the volume itself and of slabs by the renderer at `address`.
  Outcome draw(const QString& name, const QByteArray& object, const QByteArray& rest,
               const QStringList& words = {}, const QString& token = {});
  Outcome drawSlabs(const QString& name, const QString& address, const QByteArray& rest,
                    const QByteArray& more = {}, const QStringList& words = {}, const QString& token = {}) {
    return draw(name, "\"type\": \"slabs\", \"source\": \"slab://" + address.toUtf8() + "\"" + more, rest,
                words, token);
  }

  QTemporaryDir m_folder;
  QByteArray m_data = "flow.h5";  ///< of sessions
  std::unique_ptr<Renderer> m_renderer;
};

Outcome TestSlabs::draw(const QString& name, const QByteArray& object, const QByteArray& rest,
                        const QStringList& words, const QString& token) {
  QFile file(at(name + ".json"));
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(
      "{ \"farfield\": 1, \"data\": { \"flow\": { \"source\": \"" + m_data +
      "\" } },\n  \"objects\": [ { \"name\": \"v\", \"by\": \"" + QByteArray(kBy) + "\", " + object +
      " } ],\n  \"image\": { \"size\": [320, 320], \"legend\": false }, \"output\": { \"geometry\": false }" +
      rest + " }\n");
  file.close();
  QProcess process;
  QProcessEnvironment environment = environmentOf(token);
  environment.insert("HOME", m_folder.path());
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(m_folder.path());
  process.start(programPath(), QStringList{"batchvis", name + ".json", "-o", ".", "--overwrite"} + words);
  return outcomeOf(process);
}

void TestSlabs::initTestCase() {
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  SUCCEEDS(runFarfield({"sample", "turbulence", "-o", at("flow.h5"), "--size", "48,40,36", "--steps", "2",
                        "--format", "farfield"}));
  m_renderer = std::make_unique<Renderer>(2, QStringList{at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY2(!m_renderer->address.isEmpty(), m_renderer->errors().constData());
}

namespace {
/// Another object.
const QByteArray kPlane =
    " }, { \"name\": \"plane\", \"type\": \"slice\", \"normal\": [1, 0.3, 0.2], \"color\": \"#d07020\"";
/// At the middle of the sample, which goes from 0 to 2 pi, from far away in a direction.
QByteArray lookingFrom(std::array<double, 3> direction, const char* up, bool perspective = false,
                       const char* steps = "0") {
  QByteArray position;
  for (const double part : direction)
    position += (position.isEmpty() ? "" : ", ") + QByteArray::number(kMiddle + 18 * part, 'g', 17);
  const QByteArray middle = QByteArray::number(kMiddle, 'g', 17);
  return QByteArray(", \"time\": { \"steps\": ") + steps + " }, \"camera\": { \"position\": [" + position +
         "], \"target\": [" + middle + ", " + middle + ", " + middle + "], \"up\": " + up +
         (perspective ? " }" : ", \"orthographic\": 8 }");
}
}  // namespace

void TestSlabs::axisViewsEqualTheVolume_data() {
  QTest::addColumn<int>("axis");
  QTest::addColumn<double>("side");
  QTest::addColumn<QByteArray>("up");
  QTest::addRow("+x") << 0 << 1.0 << QByteArray("[0,0,1]");
  QTest::addRow("-x") << 0 << -1.0 << QByteArray("[0,1,0]");
  QTest::addRow("+y") << 1 << 1.0 << QByteArray("[0,0,1]");
  QTest::addRow("-y") << 1 << -1.0 << QByteArray("[1,0,0]");
  QTest::addRow("+z") << 2 << 1.0 << QByteArray("[0,1,0]");
  QTest::addRow("-z") << 2 << -1.0 << QByteArray("[0,1,0]");
}

void TestSlabs::axisViewsEqualTheVolume() {
  QFETCH(int, axis);
  QFETCH(double, side);
  QFETCH(QByteArray, up);
  std::array<double, 3> direction{};
  direction[static_cast<std::size_t>(axis)] = side;
  const QByteArray rest = lookingFrom(direction, up.constData());
  SUCCEEDS(draw("volume", "\"type\": \"volume\"", rest));
  SUCCEEDS(drawSlabs("slabs", m_renderer->address, rest, {}, {"--stats", "stats.json"}));
  QVERIFY(coloursIn(at("slabs.png")) > 100);
  const double equal = psnr(at("volume.png"), at("slabs.png"));
  qInfo("%s: %.1f dB", QTest::currentDataTag(), equal);
  QVERIFY2(equal >= 40, qPrintable(QString::number(equal)));
  const QByteArray stats = contents(at("stats.json"));
  QVERIFY2(stats.contains(QByteArray("\"axis\": \"") + QTest::currentDataTag() + "\""), stats.constData());
  QVERIFY2(stats.contains("\"slabsMissing\": 0") && stats.contains("\"ranks\": 2"), stats.constData());
}

void TestSlabs::whatThePictureCutsAwayIsNotThere() {
  const QStringList cut{"--set", "image.clip.planes=[{\"origin\":[3.14,3.14,3.14],\"normal\":[1,0,0]}]"};
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]");
  SUCCEEDS(draw("whole", "\"type\": \"volume\"", rest));
  SUCCEEDS(draw("volume", "\"type\": \"volume\"", rest, cut));
  SUCCEEDS(drawSlabs("slabs", m_renderer->address, rest, {}, cut));
  QVERIFY(psnr(at("volume.png"), at("whole.png")) < 25);
  const double equal = psnr(at("volume.png"), at("slabs.png"));
  QVERIFY2(equal >= 40, qPrintable(QString::number(equal)));
}

void TestSlabs::stepsFollowTheData() {
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]", false, "\"all\"");
  SUCCEEDS(draw("volume", "\"type\": \"volume\"", rest));
  SUCCEEDS(drawSlabs("slabs", m_renderer->address, rest));
  for (const char* const step : {"0000", "0001"})
    QVERIFY(psnr(at(QString("volume_%1.png").arg(step)), at(QString("slabs_%1.png").arg(step))) >= 40);
  QVERIFY(psnr(at("slabs_0000.png"), at("slabs_0001.png")) < 60);
  // of a renderer that shows the last step alone
  const Renderer last(1, {at("flow.h5"), "--listen", "127.0.0.1:0", "--steps", "-1"});
  QVERIFY(!last.address.isEmpty());
  SUCCEEDS(drawSlabs("last", last.address, lookingFrom({0, 0, 1}, "[0,1,0]")));
  SUCCEEDS(draw("second", "\"type\": \"volume\"", lookingFrom({0, 0, 1}, "[0,1,0]", false, "1")));
  QVERIFY(psnr(at("second.png"), at("last.png")) >= 40);
}

/// Within the cone in which slabs are clean (about 16 degrees), and with colours and opacities of the session's own.
void TestSlabs::obliqueViewsAreClose() {
  const QByteArray look =
      ", \"transfer\": { \"color\": { \"map\": \"plasma\", \"range\": [0, 2] }, "
      "\"opacity\": [[0, 0], [0.6, 0.02], [1.5, 0.2]], \"unit\": 0.1 }";
  const QByteArray rest = lookingFrom({0.15, 0.12, 1}, "[0,1,0]", true);
  SUCCEEDS(draw("volume", "\"type\": \"volume\"" + look, rest));
  for (const char* const mesh : {"false", "true"}) {
    SUCCEEDS(drawSlabs("slabs", m_renderer->address, rest, look + ", \"mesh\": " + mesh));
    const double close = psnr(at("volume.png"), at("slabs.png"));
    qInfo("mesh %s: %.1f dB", mesh, close);
    QVERIFY2(close >= 25, qPrintable(QString::number(close)));
  }
}

/// More than there are layers in a picture.
void TestSlabs::manySlabsAreAllSeen() {
  const Renderer many(2, {at("flow.h5"), "--listen", "127.0.0.1:0", "--slabs", "32"});
  QVERIFY(!many.address.isEmpty());
  const QByteArray along = lookingFrom({0, 0, 1}, "[0,1,0]"),
                   oblique = lookingFrom({0.3, 0.12, 1}, "[0,1,0]", true);
  SUCCEEDS(draw("volume", "\"type\": \"volume\"", along));
  SUCCEEDS(drawSlabs("slabs", many.address, along));
  const double equal = psnr(at("volume.png"), at("slabs.png"));
  SUCCEEDS(draw("volume", "\"type\": \"volume\"", oblique));
  SUCCEEDS(drawSlabs("slabs", many.address, oblique));
  const double close = psnr(at("volume.png"), at("slabs.png"));
  SUCCEEDS(drawSlabs("few", m_renderer->address, oblique));
  const double few = psnr(at("volume.png"), at("few.png"));
  qInfo("32 slabs: %.1f dB, away from the axis %.1f dB, 8 slabs %.1f dB", equal, close, few);
  QVERIFY(equal >= 40);
  QVERIFY(close > few);
}

/// On both sides of the angle at which the axis changes the slabs of both are seen.
void TestSlabs::nothingJumpsBetweenAxes() {
  const auto seenAt = [&](double degrees, const QString& name, const QByteArray& more) {
    const double angle = degrees * kMiddle / 180;
    SUCCEEDS(drawSlabs(name, m_renderer->address,
                       lookingFrom({std::sin(angle), 0, std::cos(angle)}, "[0,1,0]"), more,
                       {"--stats", "stats.json"}));
  };
  seenAt(44.95, "before", {});
  QVERIFY2(contents(at("stats.json")).contains("\"axis\": \"+z\""), contents(at("stats.json")).constData());
  seenAt(45.05, "after", {});
  QVERIFY2(contents(at("stats.json")).contains("\"axis\": \"+x\""), contents(at("stats.json")).constData());
  seenAt(44.95, "z", ", \"axis\": \"z\"");
  seenAt(45.05, "x", ", \"axis\": \"x\"");
  const double mixed = psnr(at("before.png"), at("after.png")), plain = psnr(at("z.png"), at("x.png"));
  qInfo("where the axis changes: %.1f dB, of one axis each %.1f dB", mixed, plain);
  QVERIFY(mixed >= 40 && mixed > plain + 6);
}

/// The first step has none before it.
void TestSlabs::changesStandOut() {
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]", false, "\"all\"");
  const Renderer renderer(2, {at("flow.h5"), "--listen", "127.0.0.1:0", "--enhance", "4"});
  QVERIFY(!renderer.address.isEmpty());
  SUCCEEDS(drawSlabs("plain", m_renderer->address, rest));
  SUCCEEDS(drawSlabs("enhanced", renderer.address, rest));
  QVERIFY(psnr(at("plain_0000.png"), at("enhanced_0000.png")) >= 50);
  QVERIFY(psnr(at("plain_0001.png"), at("enhanced_0001.png")) < 40);
}

void TestSlabs::framesEqualTheVolume_data() {
  QTest::addColumn<std::array<double, 3>>("direction");
  QTest::addColumn<bool>("perspective");
  QTest::addRow("along z") << std::array{0.0, 0.0, 1.0} << true;
  QTest::addRow("from a corner") << std::array{0.6, 0.5, 0.62} << true;
  QTest::addRow("from the other one") << std::array{-0.6, -0.55, -0.58} << true;
  QTest::addRow("between two axes") << std::array{0.71, 0.0, -0.70} << true;
  QTest::addRow("without perspective") << std::array{0.3, -0.8, 0.52} << false;
  QTest::addRow("from within") << std::array{0.12, 0.02, 0.07} << true;
}

/// With a plane in it, of data of its own: what is behind that is not seen, as in the volume.
void TestSlabs::framesEqualTheVolume() {
  using Direction = std::array<double, 3>;
  QFETCH(Direction, direction);
  QFETCH(bool, perspective);
  const QByteArray rest = lookingFrom(direction, "[0,1,0.2]", perspective);
  SUCCEEDS(draw("volume", "\"type\": \"volume\"" + kPlane, rest));
  SUCCEEDS(drawSlabs("frames", m_renderer->address, rest, ", \"frames\": true" + kPlane));
  QVERIFY(coloursIn(at("frames.png")) > 10);
  const double equal = psnr(at("volume.png"), at("frames.png"));
  qInfo("%s: %.1f dB", QTest::currentDataTag(), equal);
  QVERIFY2(equal >= 45, qPrintable(QString::number(equal)));
}

void TestSlabs::whatIsNoLayersIsAFrame_data() {
  QTest::addColumn<QByteArray>("mode");
  QTest::addColumn<bool>("frames");
  for (const char* const mode : {"maximum", "average"})
    for (const bool frames : {false, true})
      QTest::addRow("%s, %s", mode, frames ? "frames" : "slabs") << QByteArray(mode) << frames;
}

/// Greatest values and means of parts were laid over each other: the nearest part hid the others. With a plane in it.
void TestSlabs::whatIsNoLayersIsAFrame() {
  QFETCH(QByteArray, mode);
  QFETCH(bool, frames);
  const QByteArray look = ", \"mode\": \"" + mode + "\", \"transfer\": { \"opacity\": [[0, 1], [1, 1]] }";
  const QByteArray rest = lookingFrom({0.3, 0.2, 1}, "[0,1,0]", true);
  SUCCEEDS(draw("volume", "\"type\": \"volume\"" + look + kPlane, rest));
  SUCCEEDS(
      drawSlabs("remote", m_renderer->address, rest, look + (frames ? ", \"frames\": true" : "") + kPlane));
  QVERIFY(coloursIn(at("remote.png")) > 10);
  const double equal = psnr(at("volume.png"), at("remote.png"));
  qInfo("%s: %.1f dB", QTest::currentDataTag(), equal);
  QVERIFY2(equal >= 45, qPrintable(QString::number(equal)));
}

void TestSlabs::aTokenIsAskedFor() {
  QVERIFY(QFile::exists(at("flow.h5")));
  write(at("tokens"), QByteArray(kToken) + "\n");
  QFile::setPermissions(at("tokens"), QFile::ReadOwner | QFile::WriteOwner);
  const Renderer renderer(1, {at("flow.h5"), "--listen", "127.0.0.1:0", "--token-file", at("tokens")});
  QVERIFY(!renderer.address.isEmpty());
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]");
  REFUSED(drawSlabs("refused", renderer.address, rest), "token");
  REFUSED(drawSlabs("refused", renderer.address, rest, {}, {}, "another-token-than-that-one"), "token");
  QVERIFY(!QFile::exists(at("refused.png")));
  SUCCEEDS(drawSlabs("slabs", renderer.address, rest, {}, {}, kToken));
}

/// Where other machines could reach it; its certificate is known after logging in.
void TestSlabs::tlsIsSpoken() {
  write(at("tokens"), QByteArray(kToken) + "\n");
  const Renderer renderer(2, {at("flow.h5"), "--listen", "0.0.0.0:0", "--token-file", at("tokens")});
  QVERIFY(!renderer.address.isEmpty());
  const QString address = "127.0.0.1:" + QString::number(renderer.port());
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]");
  REFUSED(drawSlabs("refused", address, rest, {}, {}, kToken), "farfield login slab://" + address.toUtf8());
  QProcess login;
  QProcessEnvironment environment = environmentOf({});
  environment.insert("HOME", m_folder.path());
  login.setProcessEnvironment(environment);
  login.start(programPath(), {"login", "slab://" + address});
  login.write(QByteArray(kToken) + "\n");
  login.closeWriteChannel();
  SUCCEEDS(outcomeOf(login));
  SUCCEEDS(drawSlabs("secure", address, rest));
  SUCCEEDS(drawSlabs("plain", m_renderer->address, rest));
  QVERIFY(psnr(at("plain.png"), at("secure.png")) >= 50);
}

void TestSlabs::devicesCastTheSame() {
#ifndef FARFIELD_OPENCL
  QSKIP("this build has no OpenCL");
#endif
  const Renderer renderer(2, {at("flow.h5"), "--listen", "127.0.0.1:0", "--engine", "opencl"});
  QVERIFY(!renderer.address.isEmpty());
  const QByteArray rest = lookingFrom({0.3, -0.8, 0.52}, "[0,1,0.2]", true);
  for (const QByteArray& more : {QByteArray(), QByteArray(", \"frames\": true")}) {
    SUCCEEDS(drawSlabs("processors", m_renderer->address, rest, more));
    SUCCEEDS(drawSlabs("devices", renderer.address, rest, more));
    QVERIFY(coloursIn(at("devices.png")) > 100);
    QVERIFY(psnr(at("processors.png"), at("devices.png")) >= 45);
  }
}

/// What is no frame, frames that are no hello, a hello that lies about its length, and connections that say nothing.
void TestSlabs::strangersChangeNothing() {
  std::vector<std::unique_ptr<RawClient>> clients;
  QByteArray noise(64 << 10, '\0');
  for (int n = 0; n < noise.size(); ++n)
    noise[n] = static_cast<char>(static_cast<unsigned>(n) * 2654435761u >> 13);
  const QByteArray longHello = QByteArray::fromHex("ffffff7f810000000000000000000000") + noise;
  const QByteArray show = QByteArray::fromHex("04000000830000000000000000000000") + "show";
  const QByteArray badHello = QByteArray::fromHex("20000000810000000000000000000000") + noise.left(32);
  for (const QByteArray& bytes :
       {noise, longHello, show, badHello, QByteArray("GET / HTTP/1.1\r\n\r\n"), QByteArray()}) {
    auto client = std::make_unique<RawClient>(m_renderer->address.toStdString());
    client->raw(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    QElapsedTimer timer;
    timer.start();
    if (!bytes.isEmpty()) {
      QVERIFY(!client->next());
      QVERIFY2(timer.elapsed() < 5000, "it was not closed at once");
    }
    clients.push_back(std::move(client));
  }
  SUCCEEDS(drawSlabs("slabs", m_renderer->address, lookingFrom({0, 0, 1}, "[0,1,0]")));
}

/// Frames through a slow link that is cut again and again.
void TestSlabs::survivesCuts() {
  using namespace std::chrono_literals;
  const QByteArray rest = lookingFrom({0.3, 0.4, 0.9}, "[0,1,0]", true);
  SUCCEEDS(drawSlabs("near", m_renderer->address, rest, ", \"frames\": true", {"--turn", "16"}));
  const bench::TcpRelay relay(
      {.target = m_renderer->address.toStdString(), .delay = 5ms, .bytesPerSecond = 1e6, .cutEvery = 1200ms});
  SUCCEEDS(drawSlabs("cut", QString::fromStdString(relay.address()), rest, ", \"frames\": true",
                     {"--turn", "16"}));
  QVERIFY(relay.cuts() > 0);
  const QStringList pictures = QDir(m_folder.path()).entryList({"near*.png"});
  QCOMPARE(pictures.size(), 16);
  for (const QString& picture : pictures)
    QVERIFY(psnr(at(picture), at(QString(picture).replace("near", "cut"))) >= 50);
}

/// Each behind a link with a delay: 10 ms and 400 Mbit/s from the data to the renderer, 50 ms and 100 Mbit/s from there to the viewer.
void TestSlabs::dataRendererAndViewerApart() {
  using namespace std::chrono_literals;
  const ServerProcess data({"--root", m_folder.path(), "--listen", "127.0.0.1:0"}, m_folder.path());
  QVERIFY(!data.address.isEmpty());
  const bench::TcpRelay toData({.target = data.address.toStdString(), .delay = 5ms, .bytesPerSecond = 50e6});
  const Renderer renderer(
      2, {"far://" + QString::fromStdString(toData.address()) + "/flow.h5", "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  const bench::TcpRelay toViewer(
      {.target = renderer.address.toStdString(), .delay = 25ms, .bytesPerSecond = 12.5e6});
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]", false, "\"all\"");
  SUCCEEDS(drawSlabs("near", m_renderer->address, rest));
  QElapsedTimer timer;
  timer.start();
  SUCCEEDS(drawSlabs("far", QString::fromStdString(toViewer.address()), rest));
  qInfo("two steps from start to end: %.2f s", 1e-3 * static_cast<double>(timer.elapsed()));
  for (const char* const step : {"0000", "0001"})
    QVERIFY(psnr(at(QString("near_%1.png").arg(step)), at(QString("far_%1.png").arg(step))) >= 99);
}

void TestSlabs::othersTakeOverForAKilledRank() {
  const Renderer renderer(3, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]");
  SUCCEEDS(drawSlabs("whole", renderer.address, rest));
  // in the middle of a turn, of which every picture of another axis or side asks for slabs
  QProcess turning;
  QProcessEnvironment environment = environmentOf({});
  environment.insert("HOME", m_folder.path());
  turning.setProcessEnvironment(environment);
  turning.setWorkingDirectory(m_folder.path());
  QDir().mkpath(at("turn"));
  turning.start(programPath(), {"batchvis", "whole.json", "-o", "turn", "--overwrite", "--turn", "24"});
  QVERIFY(turning.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(QDir(at("turn")).entryList({"*.png"}).size() >= 2, 60000);
  const qint64 process = renderer.processOf(1);
  QVERIFY(process > 0);
  QCOMPARE(::kill(static_cast<pid_t>(process), SIGKILL), 0);
  const Outcome outcome = outcomeOf(turning);
  QVERIFY2(outcome.status == 0, outcome.errors.constData());
  QCOMPARE(QDir(at("turn")).entryList({"*.png"}).size(), 24);
  SUCCEEDS(drawSlabs("slabs", renderer.address, rest, {}, {"--stats", "stats.json"}));
  QVERIFY2(contents(at("stats.json")).contains("\"ranks\": 2"), contents(at("stats.json")).constData());
  QVERIFY(psnr(at("whole.png"), at("slabs.png")) >= 50);
}

/// Steps that some ranks read for the others look the same, also when one of those dies; how many there should be is said.
void TestSlabs::othersReadForThoseWhoRender() {
  SUCCEEDS(runFarfield({"sample", "turbulence", "-o", at("series.h5"), "--size", "70,40,36", "--steps", "7",
                        "--format", "farfield"}));
  m_data = "series.h5";
  const auto back = qScopeGuard([this] { m_data = "flow.h5"; });
  const auto start = [&](const QStringList& words) {
    return std::make_unique<Renderer>(4, QStringList{at("series.h5"), "--listen", "127.0.0.1:0"} + words);
  };
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]", false, "\"all\"");
  const auto series = [&](const QString& name, const Renderer& renderer) {
    return drawSlabs(name, renderer.address, rest);
  };
  const auto equal = [&](const QString& name, double least) {
    for (int step = 0; step < 7; ++step) {
      const QString end = QString("_%1.png").arg(step, 4, 10, QChar('0'));
      if (psnr(at("direct" + end), at(name + end)) < least) return false;
    }
    return true;
  };
  SUCCEEDS(series("direct", *start({})));
  const auto two = start({"--input-ranks", "2"});
  SUCCEEDS(series("others", *two));
  QVERIFY(equal("others", 99));  // equal bytes
  const QByteArray said = two->errors();
  QVERIFY2(said.contains("a step takes ") && said.contains("; there are 2"), said.constData());
  const qint64 process = two->processOf(3);
  QVERIFY(process > 0);
  QCOMPARE(::kill(static_cast<pid_t>(process), SIGKILL), 0);
  SUCCEEDS(series("killed", *two));
  QVERIFY(equal("killed", 99));
  SUCCEEDS(series("bytes", *start({"--input-ranks", "2", "--input-together", "2", "--quantize"})));
  QVERIFY(equal("bytes", 40) && !equal("bytes", 99));
  const auto measured = start({"--input-ranks", "auto"});
  SUCCEEDS(series("auto", *measured));
  QVERIFY(equal("auto", 99));
  const QByteArray chosen = measured->errors();
  QVERIFY2(chosen.contains("from now on"), chosen.constData());
}

/// Two programs go through the series at a time, one as slabs, the other one as frames from elsewhere: each gets its own pictures,
/// whoever has the rank that reads.
void TestSlabs::twoViewersAtATime() {
  const Renderer renderer(3, {at("flow.h5"), "--listen", "127.0.0.1:0", "--input-ranks", "1"});
  QVERIFY(!renderer.address.isEmpty());
  const QByteArray front = lookingFrom({0, 0, 1}, "[0,1,0]", false, "\"all\""),
                   aside = lookingFrom({0.3, 0.4, 0.9}, "[0,1,0]", true, "\"all\"");
  SUCCEEDS(drawSlabs("alone-a", renderer.address, front));
  SUCCEEDS(drawSlabs("alone-b", renderer.address, aside, ", \"frames\": true"));
  const auto text = [&](const QByteArray& rest, const QByteArray& more) {
    return "{ \"farfield\": 1, \"data\": { \"flow\": { \"source\": \"flow.h5\" } },\n  \"objects\": [ { \"name\": \"v\", \"by\": \"" +
           QByteArray(kBy) + "\", \"type\": \"slabs\", \"source\": \"slab://" + renderer.address.toUtf8() +
           "\"" + more +
           " } ],\n  \"image\": { \"size\": [320, 320], \"legend\": false }, \"output\": { \"geometry\": false }" +
           rest + " }\n";
  };
  write(at("both-a.json"), text(front, {}));
  write(at("both-b.json"), text(aside, ", \"frames\": true"));
  for (int time = 0; time < 2; ++time) {
    std::array<QProcess, 2> both;
    for (std::size_t n = 0; n < 2; ++n) {
      QProcessEnvironment environment = environmentOf({});
      environment.insert("HOME", m_folder.path());
      both[n].setProcessEnvironment(environment);
      both[n].setWorkingDirectory(m_folder.path());
      both[n].start(programPath(),
                    {"batchvis", n == 0 ? "both-a.json" : "both-b.json", "-o", ".", "--overwrite"});
    }
    for (QProcess& one : both) SUCCEEDS(outcomeOf(one));
    for (const char* const each : {"a", "b"})
      for (const char* const step : {"0000", "0001"})
        QVERIFY(psnr(at(QString("alone-%1_%2.png").arg(each, step)),
                     at(QString("both-%1_%2.png").arg(each, step))) >= 50);
  }
}

void TestSlabs::nobodyThere() {
  REFUSED(drawSlabs("slabs", "127.0.0.1:1", lookingFrom({0, 0, 1}, "[0,1,0]")), "nothing answers there");
  const QByteArray rest = lookingFrom({0, 0, 1}, "[0,1,0]");
  REFUSED(drawSlabs("slabs", m_renderer->address + "/path", rest), "slab://HOST:PORT");
  const Outcome none = draw("slabs", "\"type\": \"slabs\"", rest);
  QCOMPARE(none.status, 1);
  QVERIFY2(none.errors.contains("name the renderer"), none.errors.constData());
}

/// What it can show is listed; values are not to be had.
void TestSlabs::saysWhatItShows() {
  const QString url = "slab://" + m_renderer->address;
  const Outcome info = runFarfield({"info", url});
  QCOMPARE(info.status, 0);
  QVERIFY2(info.out.contains("  vorticity-magnitude\n") && !info.out.contains("variables"),
           info.out.constData());
  REFUSED(runFarfield({"probe", url, "--function", "velocity-x", "--at", "1,1,1"}), "pictures, not values");
}

void TestSlabs::refusesToStart() {
  const auto start = [&](const QStringList& words) {
    QProcess process;
    process.setProcessEnvironment(environmentOf({}));
    process.setWorkingDirectory(m_folder.path());
    process.start(QFileInfo(programPath()).dir().filePath("farfield-slabd"), words);
    return outcomeOf(process);
  };
  REFUSED(start({"flow.h5", "--listen", "0.0.0.0:0"}), "without a token");
  REFUSED(start({"nothing.h5"}), "nothing.h5");
  REFUSED(start({"flow.h5", "--listen", "127.0.0.1:0", "--trace", "nowhere/trace.json"}), "nowhere");
  REFUSED(start({"flow.h5", "--steps", "7"}), "--steps");
  REFUSED(start({"flow.h5", "--input-ranks", "1"}), "none that renders");
  for (const QStringList& words : {QStringList{},
                                   {"flow.h5", "--slabs", "0"},
                                   {"flow.h5", "--steps", "x"},
                                   {"flow.h5", "--slab"},
                                   {"flow.h5", "--quantize"},
                                   {"flow.h5", "--enhance", "-1"},
                                   {"flow.h5", "--input-ranks", "none"}}) {
    const Outcome outcome = start(words);
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.errorLines().size(), 1);
  }
  QVERIFY(start({"--help"}).out.contains("--token-file"));
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabs)
#include "tst_slabs.moc"
