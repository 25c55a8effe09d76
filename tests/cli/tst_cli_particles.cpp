// Particles on streamlines by batchvis: where they must be in a flow whose lines are known, at any phase; the same bytes however
// it is done; on devices; in a given memory.

#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <numbers>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;
using farfield::test::TemporaryFolder;
using farfield::test::verifyRefused;
using farfield::test::write;

namespace {

constexpr int kNodes = 33;

/// A body that turns about z once in 2 pi, in a box from -1 to 1, as plain numbers.
QByteArray turning() {
  QByteArray numbers;
  for (int k = 0; k < kNodes; ++k)
    for (int j = 0; j < kNodes; ++j)
      for (int i = 0; i < kNodes; ++i) {
        const std::array<float, 3> velocity{1 - static_cast<float>(j) / 16, static_cast<float>(i) / 16 - 1,
                                            0};
        numbers.append(reinterpret_cast<const char*>(velocity.data()), sizeof velocity);
      }
  return numbers;
}

/// Seen along -z, with y from -1 to 1 in 400 pixels. Eight particles on a circle of radius 0.6.
QByteArray session(const QString& keys = {},
                   const QString& seeds = R"({ "type": "points", "points": [[0.6, 0, 0]] })") {
  return QString(R"({ "farfield": 1, "data": { "d": { "source": "turning.raw", "reader": "raw", "options": {
      "dims": "33,33,33", "type": "f32", "components": 3, "name": "velocity", "origin": "-1,-1,-1", "spacing": "0.0625,0.0625,0.0625" } } },
    "objects": [ { "name": "p", "type": "streamlines", "vector": "velocity", "as": "particles", "every": %1, "radius": 0.04,
      "direction": "forward", "seeds": %2, "integrator": { "maxTime": 6.2831, "tolerance": 1e-8 },
      "color": "#000000", "lighting": "off" %3 } ],
    "camera": { "position": [0, 0, 5], "target": [0, 0, 0], "up": [0, 1, 0], "orthographic": 2 },
    "image": { "size": [400, 400] } })")
      .arg(std::numbers::pi / 4, 0, 'g', 17)
      .arg(seeds, keys)
      .toUtf8();
}

/// The middle of what is dark around a place; nothing where hardly anything is.
std::optional<QPointF> middleNear(const QImage& image, QPointF place) {
  double all = 0;
  QPointF sum;
  for (int y = int(place.y()) - 14; y <= int(place.y()) + 14; ++y)
    for (int x = int(place.x()) - 14; x <= int(place.x()) + 14; ++x) {
      const double dark = 1 - qGreen(image.pixel(x, y)) / 255.0;
      all += dark;
      sum += dark * QPointF(x + 0.5, y + 0.5);
    }
  if (all < 20) return {};
  return sum / all;
}

QPointF placeOf(double turns) {
  const double angle = 2 * std::numbers::pi * turns;
  return {200 + 120 * std::cos(angle), 200 - 120 * std::sin(angle)};
}

double dark(const QImage& image) {
  double all = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) all += 1 - qGreen(image.pixel(x, y)) / 255.0;
  return all;
}

}  // namespace

class TestCliParticles : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void standWhereTheFlowHasTakenThem_data();
  void standWhereTheFlowHasTakenThem();
  void flowAsASeries();
  void sameBytesHoweverItIsDone();
  void onADevice();
  void manyInLittleMemory();
  void whatDoesNotGoTogether();

 private:
  QString path(const QString& name) const { return m_folder->path().string().c_str() + ("/" + name); }
  Outcome run(const QStringList& more = {}) {
    return runFarfield(
        QStringList{"batchvis", "s.json", "-o", "out", "--overwrite", "--stats", "stats.json"} + more,
        path("."));
  }
  QJsonObject stats() const { return QJsonDocument::fromJson(contents(path("stats.json"))).object(); }
  void verifyPlaces(const QString& picture, double phase);
  std::unique_ptr<TemporaryFolder> m_folder;
};

#define RUNS(...)                                  \
  do {                                             \
    const Outcome outcome = run(__VA_ARGS__);      \
    QVERIFY2(outcome.status == 0, outcome.errors); \
  } while (false)

void TestCliParticles::init() {
  m_folder = std::make_unique<TemporaryFolder>();
  write(path("turning.raw"), turning());
  write(path("s.json"), session());
}

void TestCliParticles::verifyPlaces(const QString& picture, double phase) {
  const QImage image(path(picture));
  QCOMPARE(image.size(), QSize(400, 400));
  // One in eight of a turn after the other, and nothing else: the line is not seen.
  for (int n = 0; n < 8; ++n) {
    const QPointF exact = placeOf((n + phase) / 8);
    const std::optional<QPointF> found = middleNear(image, exact);
    QVERIFY2(found, qPrintable(QString("%1 of phase %2").arg(n).arg(phase)));
    const QPointF off = *found - exact;
    QVERIFY2(std::hypot(off.x(), off.y()) < 0.4,
             qPrintable(QString("%1: %2 %3").arg(n).arg(off.x()).arg(off.y())));
  }
  const double each = std::numbers::pi * 8 * 8;
  QVERIFY2(std::abs(dark(image) / (8 * each) - 0.97) < 0.04, qPrintable(QString::number(dark(image) / each)));
}

void TestCliParticles::standWhereTheFlowHasTakenThem_data() {
  QTest::addColumn<double>("phase");
  for (const double phase : {0.0, 0.25, 0.5, 0.9}) QTest::addRow("%g", phase) << phase;
}

void TestCliParticles::standWhereTheFlowHasTakenThem() {
  QFETCH(double, phase);
  RUNS({"--set", "image.phase=" + QString::number(phase)});
  verifyPlaces("out/s.png", phase);
  // What is written is the lines.
  const QByteArray lines = contents(path("out/p.vtp"));
  RUNS({"--set", "objects.p.as=lines"});
  QVERIFY(!lines.isEmpty() && contents(path("out/p.vtp")) == lines);
}

void TestCliParticles::flowAsASeries() {
  RUNS({"--flow", "4", "--set", "image.phase=0.125"});
  QCOMPARE(QDir(path("out")).entryList({"*.png"}),
           (QStringList{"s_flow_0000.png", "s_flow_0001.png", "s_flow_0002.png", "s_flow_0003.png"}));
  for (int n = 0; n < 4; ++n) verifyPlaces(QString("out/s_flow_000%1.png").arg(n), 0.125 + 0.25 * n);
  // What is missing of it is drawn again, the same.
  const QByteArray second = contents(path("out/s_flow_0001.png"));
  QVERIFY(QFile::remove(path("out/s_flow_0001.png")));
  RUNS({"--flow", "4", "--set", "image.phase=0.125", "--resume"});
  QVERIFY(contents(path("out/s_flow_0001.png")) == second);
}

void TestCliParticles::sameBytesHoweverItIsDone() {
  write(path("s.json"), session(R"(, "lighting": "full", "color": { "by": "velocity-magnitude" })")
                            .replace(R"("color": "#000000", "lighting": "off" ,)", ""));
  write(path("s.json"), contents(path("s.json"))
                            .replace(R"({ "type": "points", "points": [[0.6, 0, 0]] })",
                                     R"({ "type": "spread", "count": 60 })"));
  RUNS({"--set", "image.phase=0.3"});
  const QByteArray picture = contents(path("out/s.png"));
  QVERIFY(!picture.isEmpty());
  for (const QStringList& way : {QStringList{"--processors", "1"}, QStringList{"--scheduler", "serial"},
                                 QStringList{"--memory", "6M"}, QStringList{"--prefetch", "off"}}) {
    RUNS(way + QStringList{"--set", "image.phase=0.3"});
    QVERIFY2(contents(path("out/s.png")) == picture, qPrintable(way.join(' ')));
  }
}

void TestCliParticles::onADevice() {
  RUNS({"--set", "objects.p.engine=opencl", "--set", "image.phase=0.6"});
  if (stats()["objects"].toArray()[0].toObject()["engine"].toString() != "opencl")
    QSKIP("no OpenCL driver has a device");
  verifyPlaces("out/s.png", 0.6);
}

/// Twenty thousand seeds: what is claimed stays below the budget, and the program does not grow with the lines.
void TestCliParticles::manyInLittleMemory() {
  const auto most = [&](int seeds) {
    write(path("s.json"),
          session({}, QString(R"({ "type": "plane", "origin": [-0.6, -0.6, 0], "axis1": [1.2, 0, 0],
      "axis2": [0, 1.2, 0], "counts": [%1, 100] })")
                          .arg(seeds / 100)));
    // A small picture: drawing all of them in a large one takes longer than computing them.
    const Outcome outcome =
        run({"--memory", "24M", "--set", "image.phase=0.5", "--set", "image.size=[64, 64]"});
    if (outcome.status != 0) {
      qWarning() << outcome.errors;
      return -3.0;
    }
    const QJsonObject paging = stats()["paging"].toObject();
    if (paging["peakBytes"].toDouble() > paging["budgetBytes"].toDouble()) return -1.0;
    return stats()["objects"].toArray()[0].toObject()["count"].toInt() == seeds
               ? stats()["peakRssBytes"].toDouble()
               : -2;
  };
  const double few = most(2000), many = most(20'000);
  QVERIFY2(few > 0 && many > 0, qPrintable(QString("%1 %2").arg(few).arg(many)));
#ifndef FARFIELD_SANITIZED  // which keeps what is freed
  QVERIFY2(many < few + (32 << 20), qPrintable(QString("%1 %2").arg(few).arg(many)));
#endif
}

void TestCliParticles::whatDoesNotGoTogether() {
  QCOMPARE(run({"--flow", "4", "--turn", "4"}).status, 2);
  QCOMPARE(run({"--flow", "4", "--follow"}).status, 2);
  QCOMPARE(run({"--flow", "1"}).status, 2);
  verifyRefused({"batchvis", "s.json", "-o", "no", "--set", "image.phase=1.5"}, 1, "image.phase", path("."));
  QVERIFY(!QDir(path("no")).exists());
}

QTEST_GUILESS_MAIN(TestCliParticles)
#include "tst_cli_particles.moc"
