// Volumes by batchvis: the same bytes however it is done, statistics, levels, other grids, and what is refused.

#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

#include "tests/cli/program.h"
#include "tests/support/pages_stay.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;
using farfield::test::TemporaryFolder;
using farfield::test::verifyRefused;
using farfield::test::write;

namespace {

QByteArray session(const QString& source, const QString& keys, const QString& others = {}) {
  return QString(R"({ "farfield": 1, "data": { "d": { "source": "%1" } },
    "objects": [ { "name": "v", "type": "volume", %2 } %3 ], "image": { "size": [320, 240] } })")
      .arg(source, keys, others)
      .toUtf8();
}

}  // namespace

class TestCliVolume : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void sameBytesHoweverItIsDone();
  void choosesALevel();
  void somethingIsSeenAtFirstSight();
  void oneValueOfEachRayIsSeen();
  void takesPresetsAndFilesOfParaView();
  void anyGridIsAVolume();
  void wholeRangesAreThoseOfTheData_data();
  void wholeRangesAreThoseOfTheData();
  void pagesAreUsedWhileTheyAreThere();
  void opaqueThingsEndRays();
  void planesOfThePictureLeaveWhatIsNotClipped();
  void onADevice();
  void withoutADriverTheProcessorsDoIt_data();
  void withoutADriverTheProcessorsDoIt();
  void refusesWhatItCannotShow();

 private:
  QString path(const QString& name) const { return m_folder->path().string().c_str() + ("/" + name); }
  QJsonObject run(const QString& sessionFile, const QStringList& more = {}) {
    const Outcome outcome = runFarfield(QStringList{"batchvis", sessionFile, "-o", path("out"), "--overwrite",
                                                    "--stats", path("stats.json")} +
                                            more,
                                        path("."));
    if (outcome.status != 0) {
      qWarning() << outcome.errors;
      return {};
    }
    return QJsonDocument::fromJson(contents(path("stats.json"))).object()["objects"].toArray()[0].toObject();
  }
  std::unique_ptr<TemporaryFolder> m_folder;
};

void TestCliVolume::init() {
  m_folder = std::make_unique<TemporaryFolder>();
}

void TestCliVolume::sameBytesHoweverItIsDone() {
  const QString look =
      R"("by": "density", "lighting": true, "transfer": { "opacity": [[0.5, 0], [0.8, 0.3]] })";
  write(path("s.json"), session("sample://marschner-lobb?size=96,80,70", look));
  const QJsonObject stats = run("s.json");
  const QByteArray picture = contents(path("out/s.png"));
  QVERIFY(!picture.isEmpty());
  QCOMPARE(stats["level"].toInt(), 0);
  QVERIFY(stats["bricks"].toInt() > 0 && stats["bricksRead"].toInt() >= stats["bricks"].toInt() / 2);
  QVERIFY(stats["samples"].toDouble() > 1000);
  QVERIFY(stats["converged"].toBool());
  QCOMPARE(stats["engine"].toString(), QString("cpu"));
  QVERIFY(stats["seconds"].toDouble() > 0);
  QVERIFY(!contents(path("stats.json")).contains("too short"));
  for (const QStringList& how : {QStringList{"--processors", "1"}, QStringList{"--scheduler", "serial"},
                                 QStringList{"--scheduler", "threads"}, QStringList{"--memory", "8M"}}) {
    QVERIFY(!run("s.json", how).isEmpty());
    QVERIFY2(contents(path("out/s.png")) == picture, qPrintable(how.join(' ')));
  }
  for (const char* const edge : {"8", "31"}) {
    const QString store = QString("s%1.h5").arg(edge);
    QCOMPARE(
        runFarfield({"convert", "sample://marschner-lobb?size=96,80,70", "-o", store, "--page-edge", edge},
                    path("."))
            .status,
        0);
    write(path("s.json"), session(store, look));
    QVERIFY(!run("s.json").isEmpty());
    QVERIFY2(contents(path("out/s.png")) == picture, edge);
  }
}

void TestCliVolume::choosesALevel() {
  QCOMPARE(runFarfield({"convert", "sample://marschner-lobb?size=129,129,129", "-o", "l.h5", "--levels", "3"},
                       path("."))
               .status,
           0);
  write(path("a.json"), session("l.h5", R"("by": "density")"));
  QCOMPARE(run("a.json")["level"].toInt(), 0);
  write(path("b.json"), session("l.h5", R"("by": "density", "quality": { "pixelError": 3.9 })"));
  const QJsonObject coarse = run("b.json");
  QVERIFY(coarse["level"].toInt() >= 1);
  write(path("c.json"), session("l.h5", R"("by": "density", "quality": { "samplesPerVoxel": 1 })"));
  const QJsonObject fine = run("c.json");
  QCOMPARE(fine["level"].toInt(), 0);
  QVERIFY(fine["bricksRead"].toInt() > coarse["bricksRead"].toInt());
}

void TestCliVolume::somethingIsSeenAtFirstSight() {
  for (const char* const name : {"marschner-lobb", "turbulence"}) {
    const QString by = name[0] == 'm' ? "density" : "velocity-magnitude";
    write(path("s.json"), session(QString("sample://%1?size=64,64,64").arg(name), "\"by\": \"" + by + "\""));
    QVERIFY(!run("s.json").isEmpty());
    const QImage picture(path("out/s.png"));
    QVERIFY(!picture.isNull());
    int marked = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < 220; ++x) marked += qGray(picture.pixel(x, y)) < 235;
    QVERIFY2(marked > 2000, qPrintable(QString("%1: %2 pixels").arg(name).arg(marked)));
  }
}

/// Opacities by name, and what ParaView exported, are the points that they stand for; the session's own words go before the file's.
/// Opacities for what lies one behind the other would hardly show the one value that a ray has.
void TestCliVolume::oneValueOfEachRayIsSeen() {
  const auto pictureOf = [&](const QString& look) {
    write(path("s.json"), session("sample://marschner-lobb?size=65", R"("by": "density", )" + look));
    return run("s.json").isEmpty() ? QImage() : QImage(path("out/s.png"));
  };
  for (const QString mode : {"maximum", "average"}) {
    const QImage picture = pictureOf(QString(R"("mode": "%1")").arg(mode));
    QVERIFY(!picture.isNull());
    double darkness = 0;
    int count = 0;
    for (int y = 96; y < 144; ++y)
      for (int x = 128; x < 192; ++x, ++count) {
        const QColor pixel = picture.pixelColor(x, y);
        darkness += 255 - std::min({pixel.red(), pixel.green(), pixel.blue()});
      }
    QVERIFY2(darkness / count > 100, qPrintable(mode + ' ' + QString::number(darkness / count)));
    // What was chosen stays: a hundredth of an opacity is a breath.
    const QImage breath =
        pictureOf(QString(R"("mode": "%1", "transfer": { "opacity": [[0, 0.01], [1, 0.01]] })").arg(mode));
    const QColor pixel = breath.pixelColor(160, 120);
    QVERIFY(std::min({pixel.red(), pixel.green(), pixel.blue()}) > 245);
  }
}

void TestCliVolume::takesPresetsAndFilesOfParaView() {
  const auto picture = [&](const QString& transfer, const QStringList& more = {}) {
    write(path("s.json"), session("sample://marschner-lobb?size=40,40,40",
                                  QString(R"("by": "density", "transfer": { %1 })").arg(transfer)));
    return run("s.json", more).isEmpty() ? QByteArray() : contents(path("out/s.png"));
  };
  const QString range = R"("color": { "range": [0, 1] }, )";
  const QByteArray solid = picture(range + R"("opacity": "solid")");
  QVERIFY(!solid.isEmpty());
  QVERIFY(solid == picture(range + R"("opacity": [[0.48, 0], [0.52, 0.9]])"));
  QVERIFY(solid != picture(range + R"("opacity": "ramp")"));

  QVERIFY(QDir().mkpath(path("maps")));
  write(path("maps/ct.json"), R"([ { "Name": "ct", "ColorSpace": "RGB", "NanColor": [1, 1, 0],
    "RGBPoints": [0.2, 1, 0, 0, 0.8, 0, 0, 1], "Points": [0.2, 0, 0.5, 0, 0.8, 0.5, 0.5, 0] } ])");
  const QByteArray asWritten = picture(
      R"("color": { "map": { "points": [[0, "#ff0000"], [1, "#0000ff"]] }, "range": [0.2, 0.8] }, "opacity": [[0.2, 0], [0.8, 0.5]])");
  QVERIFY(!asWritten.isEmpty());
  QVERIFY(asWritten == picture(R"("file": "maps/ct.json")"));
  QVERIFY(asWritten == picture(R"("opacity": "auto")", {"--set", "objects.v.transfer.file=maps/ct.json"}));
  QVERIFY(asWritten != picture(R"("file": "maps/ct.json", "color": { "map": "viridis" })"));
  QVERIFY(
      picture(R"("file": "maps/ct.json", "color": { "map": "viridis" })") ==
      picture(R"("color": { "map": "viridis", "range": [0.2, 0.8] }, "opacity": [[0.2, 0], [0.8, 0.5]])"));

  const auto refused = [&](const char* says) {
    const Outcome outcome = runFarfield({"batchvis", "s.json", "-o", path("out"), "--overwrite"}, path("."));
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.errors.contains(says), outcome.errors.constData());
  };
  write(path("s.json"), session("sample://marschner-lobb?size=40,40,40",
                                R"("by": "density", "transfer": { "file": "none.json" })"));
  refused("objects.v.transfer.file");
  for (const char* wrong :
       {"viridis", "[[[[", "{}", R"([{"Name":"m","ColorSpace":"RGB","RGBPoints":[0,0,0]}])"}) {
    write(path("none.json"), wrong);
    refused("none.json");
  }
}

void TestCliVolume::anyGridIsAVolume() {
  const QString source = "sample://cylinder?size=33,25,9";
  write(path("s.json"), session(source, R"("by": "pressure", "lighting": true)"));
  const QJsonObject stats = run("s.json");
  const QByteArray picture = contents(path("out/s.png"));
  QVERIFY(!picture.isEmpty());
  QVERIFY(stats["resampleMeanError"].toDouble(-1) >= 0 && stats["resampleMeanError"].toDouble(-1) < 0.02);
  QVERIFY(stats["resampleFileBytes"].toDouble() > 0);
  run("s.json", {"--processors", "1", "--scheduler", "serial"});
  QVERIFY(contents(path("out/s.png")) == picture);
}

/// Nodes that lie in the same pages are sampled together: row by row, pages are read 6.3 times where a layer does not fit into memory.
void TestCliVolume::wholeRangesAreThoseOfTheData_data() {
  QTest::addColumn<QString>("which");
  QTest::addColumn<bool>("byItself");
  for (const char* const which : {"data", "step"})
    for (const bool byItself : {true, false})
      QTest::addRow("%s, %s", which, byItself ? "of a volume that names its function" : "by its colours")
          << which << byItself;
}

/// And not of the samples: of a grid that is finer at the body than these are apart.
void TestCliVolume::wholeRangesAreThoseOfTheData() {
  QFETCH(QString, which);
  QFETCH(bool, byItself);
  const QString source = "sample://cylinder?size=65,49,9&blocks=1", function = "velocity-magnitude";
  const Outcome told = runFarfield({"info", source, "--ranges", "--function", function, "--json"}, path("."));
  SUCCEEDS(told);
  QString range;
  for (const QJsonValue& variable : QJsonDocument::fromJson(told.out).object()["variables"].toArray())
    if (variable["name"].toString() == function)
      range = QString("[%1,%2]")
                  .arg(variable["min"].toDouble(), 0, 'g', 17)
                  .arg(variable["max"].toDouble(), 0, 'g', 17);
  QVERIFY(!range.isEmpty());
  const auto picture = [&](const QString& colors) {
    const QString by =
        byItself ? R"("by": "%1", "color": { "by": "%1", "range": %2 })" : R"("color": { "by": "%1", "range": %2 })";
    write(path("s.json"),
          session(source, by.arg(function, colors) + R"(, "transfer": { "opacity": [[0, 0.1], [9, 0.1]] })"));
    return run("s.json").isEmpty() ? QByteArray() : contents(path("out/s.png"));
  };
  const QByteArray whole = picture('"' + which + '"');
  QVERIFY(!whole.isEmpty());
  QVERIFY(whole != picture("\"auto\""));
  QVERIFY(whole == picture(range));
  // Where the volume says itself where its colours go, the data are not asked.
  write(path("s.json"), session(source, QString(R"("by": "%1", "color": { "by": "%1", "range": "%2" },
    "transfer": { "color": { "range": [0.5, 1] }, "opacity": [[0, 0.1], [9, 0.1]] })")
                                            .arg(function, which)));
  QVERIFY(!run("s.json").isEmpty());
  QVERIFY(contents(path("out/s.png")) != whole);
}

void TestCliVolume::pagesAreUsedWhileTheyAreThere() {
  if (!farfield::test::kPagesStay) QSKIP("nothing stays in memory in this build");
  QCOMPARE(runFarfield({"convert", "sample://cylinder?size=129,97,65&blocks=2", "-o", path("s.h5"),
                        "--page-edge", "8"})
               .status,
           0);
  const Outcome told = runFarfield({"info", "--json", path("s.h5")});
  const double pages = QJsonDocument::fromJson(told.out).object()["pages"].toDouble();
  QVERIFY2(pages > 10000, told.out.constData());
  write(path("s.json"), session("s.h5", R"("by": "pressure")"));
  QVERIFY(
      !run("s.json", {"--memory", "8M", "--scheduler", "serial", "--set", "image.size=[160,120]"}).isEmpty());
  const QJsonObject paging =
      QJsonDocument::fromJson(contents(path("stats.json"))).object()["paging"].toObject();
  QVERIFY2(paging["reads"].toDouble() < 5.3 * pages,
           qPrintable(QString::number(paging["reads"].toDouble() / pages)));
}

void TestCliVolume::planesOfThePictureLeaveWhatIsNotClipped() {
  const auto picture = [&](const QByteArray& clip, const QString& keys) {
    QByteArray text = session("sample://marschner-lobb?size=33", R"("by": "density")" + keys);
    text.replace("[320, 240]", "[320, 240]" + clip);
    write(path("s.json"), text);
    return run("s.json").isEmpty() ? QByteArray() : contents(path("out/s.png"));
  };
  const QByteArray plane = R"(, "clip": { "planes": [{ "origin": [0, 0, 0], "normal": [1, 0, 0] }] })";
  const QByteArray whole = picture({}, {});
  QVERIFY(!whole.isEmpty());
  QVERIFY(picture(plane, {}) != whole);
  QCOMPARE(picture(plane, R"(, "clipped": false)"), whole);
}

void TestCliVolume::opaqueThingsEndRays() {
  const QString source = "sample://marschner-lobb?size=40,40,40";
  const QString look = R"("by": "density", "transfer": { "opacity": [[0, 0.5]] })";
  write(path("a.json"), session(source, look));
  write(path("b.json"),
        session(source, look,
                R"(, { "name": "wall", "type": "slice", "normal": [1, -1, 0.7], "color": "#ff0000" })"));
  QVERIFY(!run("a.json").isEmpty());
  QVERIFY(!run("b.json").isEmpty());
  const QImage without(path("out/a.png")), with(path("out/b.png"));
  const QRgb a = without.pixel(140, 120), b = with.pixel(140, 120);
  // In front of the red wall in the middle is enough to hide most of it, and not all.
  QVERIFY(a != b);
}

void TestCliVolume::onADevice() {
  const QString look =
      R"("by": "density", "lighting": true, "transfer": { "opacity": [[0.5, 0], [0.8, 0.3]] }, "engine": "%1")";
  const QString wall = R"(, { "name": "wall", "type": "slice", "normal": [1, -1, 0.7], "color": "#ff0000" })";
  write(path("a.json"), session("sample://marschner-lobb?size=96,80,70", look.arg("cpu"), wall));
  write(path("b.json"), session("sample://marschner-lobb?size=96,80,70", look.arg("opencl"), wall));
  QCOMPARE(run("a.json")["engine"].toString(), QString("cpu"));
  const QJsonObject stats = run("b.json");
  if (stats["engine"].toString() != "opencl") QSKIP("no OpenCL driver has a device");
  QVERIFY(!stats["device"].toString().isEmpty());
  QVERIFY(stats["bricks"].toInt() > 0 && stats["samples"].toDouble() > 1000 && stats["converged"].toBool());
  const QImage a = QImage(path("out/a.png")).convertToFormat(QImage::Format_RGB32),
               b = QImage(path("out/b.png")).convertToFormat(QImage::Format_RGB32);
  QCOMPARE(a.size(), b.size());
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
      for (const int d : {qRed(p) - qRed(q), qGreen(p) - qGreen(q), qBlue(p) - qBlue(q)}) sum += d * d;
    }
  const double decibels = 10 * std::log10(255.0 * 255 * 3 * a.width() * a.height() / std::max(sum, 1e-9));
  QVERIFY2(decibels >= 50, qPrintable(QString::number(decibels)));
}

void TestCliVolume::withoutADriverTheProcessorsDoIt_data() {
  QTest::addColumn<QByteArray>("variable");
  QTest::newRow("no driver") << QByteArray("OCL_ICD_VENDORS");
  QTest::newRow("a driver without devices") << QByteArray("POCL_CACHE_DIR");
}

void TestCliVolume::withoutADriverTheProcessorsDoIt() {
  QFETCH(QByteArray, variable);
  const QString look = R"("by": "density", "engine": "%1")";
  write(path("s.json"), session("sample://marschner-lobb?size=48,48,48", look.arg("cpu")));
  QVERIFY(!run("s.json").isEmpty());
  const QByteArray picture = contents(path("out/s.png"));
  write(path("s.json"), session("sample://marschner-lobb?size=48,48,48", look.arg("opencl")));
  qputenv(variable.constData(), "/proc/no-such-folder");
  const Outcome outcome = runFarfield(
      {"batchvis", "s.json", "-o", path("out"), "--overwrite", "--stats", path("stats.json")}, path("."));
  qunsetenv(variable.constData());
  QCOMPARE(outcome.status, 0);
  const QJsonObject stats =
      QJsonDocument::fromJson(contents(path("stats.json"))).object()["objects"].toArray()[0].toObject();
  // There may be other drivers beside the one whose devices were taken away.
  if (stats["engine"].toString() == "opencl") QSKIP("another driver has a device");
  QVERIFY2(outcome.errors.contains("the processors cast volumes"), outcome.errors.constData());
  QVERIFY(contents(path("out/s.png")) == picture);
}

void TestCliVolume::refusesWhatItCannotShow() {
  const QString source = "sample://abc?size=20,20,20";
  const auto refused = [&](const QString& keys, const QString& part) {
    write(path("s.json"), session(source, keys));
    verifyRefused({"batchvis", "s.json", "-o", "out", "--quiet"}, 1, part, path("."));
  };
  refused(R"("by": "velocity")", "object v: by: 'velocity' is a vector");
  refused(R"("by": "temperatur")", "object v: by: there is no function 'temperatur'");
  refused(R"("by": "pressure", "transfer": { "color": { "map": "nomap" } })",
          "transfer.color.map: there is no colour map 'nomap'");
  write(path("s.json"), R"({ "farfield": 1, "data": { "d": { "source": "sample://abc?size=20,20,20" } },
    "objects": [ { "name": "o", "type": "outline", "engine": "opencl" } ] })");
  verifyRefused({"batchvis", "s.json", "-o", "out", "--quiet"}, 1, "OpenCL", path("."));
  refused(R"("by": "pressure", "quality": { "samples": 1 })", "quality.samples: unknown key");
}

QTEST_GUILESS_MAIN(TestCliVolume)
#include "tst_cli_volume.moc"
