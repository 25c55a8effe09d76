// Stretched axes by batchvis: a grid with flat cells that is stretched gives the picture of the grid with cubic ones. And lines that are drawn wider.

#include <QDir>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;
using farfield::test::TemporaryFolder;
using farfield::test::verifyRefused;
using farfield::test::write;

namespace {

constexpr int kNodes[] = {40, 36, 30};
const char* const kVolume =
    R"({ "name": "v", "type": "volume", "by": "value", "lighting": true, "engine": "%1",
      "transfer": { "unit": 1, "color": { "range": [0, 1] }, "opacity": [[0.4, 0], [0.6, 0.1], [1, 0.3]] } })";
const char* const kSurfaces =
    R"({ "name": "s", "type": "slice", "origin": [0, 18, 0], "normal": [0, 1, 0], "color": { "by": "value", "range": [0, 1] } },
       { "name": "t", "type": "slice", "origin": [0, 0, %1], "normal": [0, 0, 1], "lighting": "full", "color": { "by": "value", "range": [0, 1] } },
       { "name": "i", "type": "isosurface", "by": "value", "value": 0.7, "lighting": "full", "color": "#3060c0" })";

}  // namespace

class TestCliStretch : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void volumesAndSurfaces_data();
  void volumesAndSurfaces();
  void everythingIsSeen();
  void axesSayTheirNumbers();
  void turnsKeepIt();
  void refusesWhatIsNoStretch_data();
  void refusesWhatIsNoStretch();
  void linesAreAsWideAsTold();

 private:
  QString path(const QString& name) const { return m_folder->path().string().c_str() + ("/" + name); }
  /// Of the same numbers in cells `high` high.
  QImage picture(const QString& name, double high, const QString& objects, const QString& camera,
                 const QString& image = {}, QString* engine = nullptr) {
    write(path(name + ".json"), QString(R"({ "farfield": 1, "data": { "d": { "source": "values.raw",
            "options": { "dims": "40,36,30", "type": "f32", "spacing": "1,1,%1" } } },
            "objects": [ %2 ], "camera": { %3 }, "image": { "size": [320, 240], "legend": false %4 } })")
                                    .arg(QString::number(high), objects, camera, image)
                                    .toUtf8());
    const Outcome outcome = runFarfield(
        {"batchvis", name + ".json", "-o", "out", "--overwrite", "--quiet", "--stats", "stats.json"},
        path("."));
    if (outcome.status != 0) qWarning() << outcome.errors;
    if (engine)
      *engine = QJsonDocument::fromJson(contents(path("stats.json")))["objects"][0]["engine"].toString();
    return QImage(path("out/" + name + ".png")).convertToFormat(QImage::Format_RGB32);
  }
  std::unique_ptr<TemporaryFolder> m_folder;
};

namespace {

struct Difference {
  int pixels = 0;  ///< by more than 2
  double decibels = 0;
};

Difference between(const QImage& a, const QImage& b) {
  Difference difference;
  double sum = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
      bool same = true;
      for (const int d : {qRed(p) - qRed(q), qGreen(p) - qGreen(q), qBlue(p) - qBlue(q)}) {
        sum += d * d;
        same = same && std::abs(d) <= 2;
      }
      difference.pixels += !same;
    }
  difference.decibels = 10 * std::log10(255.0 * 255 * 3 * a.width() * a.height() / std::max(sum, 1e-9));
  return difference;
}

int marked(const QImage& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += qGray(image.pixel(x, y)) < 235;
  return count;
}

const char* const kFrom = R"("position": [95, -60, 65], "target": [22, 17, 13])";
const char* const kStretched = R"(, "stretch": [1, 1, 10])";

}  // namespace

void TestCliStretch::init() {
  m_folder = std::make_unique<TemporaryFolder>();
  QByteArray bytes;
  for (int k = 0; k < kNodes[2]; ++k)
    for (int j = 0; j < kNodes[1]; ++j)
      for (int i = 0; i < kNodes[0]; ++i) {
        const float value = static_cast<float>(0.5 + 0.25 * std::sin(0.31 * i) * std::cos(0.27 * j) +
                                               0.25 * std::sin(0.35 * k + 0.1 * i));
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
  write(path("values.raw"), bytes);
}

void TestCliStretch::volumesAndSurfaces_data() {
  QTest::addColumn<QString>("engine");
  QTest::addColumn<bool>("surfaces");
  QTest::newRow("volume on processors") << "cpu" << false;
  QTest::newRow("volume on a device") << "opencl" << false;
  QTest::newRow("surfaces") << "" << true;
  QTest::newRow("all") << "cpu" << true;
}

void TestCliStretch::volumesAndSurfaces() {
  QFETCH(QString, engine);
  QFETCH(bool, surfaces);
  const auto objects = [&](double middle) {
    QStringList all;
    if (!engine.isEmpty()) all << QString(kVolume).arg(engine);
    if (surfaces) all << QString(kSurfaces).arg(middle);
    return all.join(", ");
  };
  QString used;
  const QString from = kFrom;
  const QImage written = picture("written", 1, objects(14.5), from),
               stretched = picture("stretched", 0.1, objects(1.45), from + kStretched, {}, &used),
               flat = picture("flat", 0.1, objects(1.45), from);
  if (engine == "opencl" && used != "opencl") QSKIP("no OpenCL driver has a device");
  QVERIFY(!written.isNull() && written.size() == stretched.size());
  QVERIFY2(marked(written) > 8000, qPrintable(QString::number(marked(written))));
  if (engine == "cpu" && !surfaces) QCOMPARE(stretched, written);
  const Difference same = between(stretched, written), other = between(flat, written);
  qInfo("%d pixels differ, %.1f dB; unstretched %.1f dB", same.pixels, same.decibels, other.decibels);
  // Of surfaces vertices are rounded elsewhere, so a triangle's edge may take a pixel more or less.
  QVERIFY2(same.decibels >= 45, qPrintable(QString::number(same.decibels)));
  QVERIFY(other.decibels < 25);
}

/// Without a place to look from all of it is in the picture, as high as it is seen.
void TestCliStretch::everythingIsSeen() {
  const QString objects = QString(kSurfaces).arg(1.45);
  const QImage flat = picture("flat", 0.1, objects, R"("direction": [1, -1, 0.7])"),
               high = picture("high", 0.1, objects, R"("stretch": [1, 1, 10])");
  QVERIFY(marked(high) > 1.2 * marked(flat));
  for (const int x : {0, high.width() - 1})
    for (int y = 0; y < high.height(); ++y) QCOMPARE(qGray(high.pixel(x, y)), 255);
}

void TestCliStretch::axesSayTheirNumbers() {
  const QString objects = QString(kSurfaces).arg(1.45), from = QString(kFrom) + kStretched;
  const QImage without = picture("a", 0.1, objects, from),
               with = picture("b", 0.1, objects, from, R"(, "axes": true, "scaleBar": true)");
  QVERIFY(between(without, with).pixels > 300);
}

void TestCliStretch::turnsKeepIt() {
  picture("s", 0.1, QString(kSurfaces).arg(1.45), QString(kFrom) + kStretched);
  const QImage still(path("out/s.png"));
  const Outcome outcome =
      runFarfield({"batchvis", "s.json", "-o", "turn", "--quiet", "--turn", "4"}, path("."));
  QVERIFY2(outcome.status == 0, outcome.errors.constData());
  const QStringList files = QDir(path("turn")).entryList({"*.png"}, QDir::Files, QDir::Name);
  QCOMPARE(files.size(), 4);
  QCOMPARE(QImage(path("turn/" + files[0])), still);
  QVERIFY(marked(QImage(path("turn/" + files[1]))) > 4000);
}

void TestCliStretch::refusesWhatIsNoStretch_data() {
  QTest::addColumn<QString>("stretch");
  QTest::addColumn<QString>("says");
  QTest::newRow("none") << "[1, 0, 1]"
                        << "camera.stretch.1";
  QTest::newRow("negative") << "[1, 1, -2]"
                            << "camera.stretch.2";
  QTest::newRow("a number") << "3"
                            << "camera.stretch";
  QTest::newRow("two") << "[1, 2]"
                       << "camera.stretch";
  QTest::newRow("a text") << R"([1, "2", 1])"
                          << "camera.stretch: must be three numbers";
}

void TestCliStretch::refusesWhatIsNoStretch() {
  QFETCH(QString, stretch);
  QFETCH(QString, says);
  for (const QString& camera : {QString(), QString(kFrom) + ", "}) {
    write(path("s.json"),
          QString(R"({ "farfield": 1, "data": { "d": { "source": "sample://abc?size=8,8,8" } },
            "objects": [ { "name": "o", "type": "outline" } ], "camera": { %1 "stretch": %2 } })")
              .arg(camera, stretch)
              .toUtf8());
    verifyRefused({"batchvis", "s.json", "-o", "out", "--quiet"}, 1, says, path("."));
  }
}

/// Outlines and the edges of cells.
void TestCliStretch::linesAreAsWideAsTold() {
  write(path("s.json"), R"({ "farfield": 1, "data": { "d": { "source": "sample://abc?size=5,5,5" } },
    "objects": [ { "name": "o", "type": "outline", "color": "#000000" },
      { "name": "g", "type": "grid-surface", "range": { "k": [2, 2] }, "edges": true, "lighting": "off",
        "color": "#ffffff" } ],
    "camera": { "position": [3, 3, 40], "target": [3, 3, 3], "up": [0, 1, 0] },
    "image": { "size": [400, 400] }, "output": { "images": true, "geometry": false } })");
  const auto ink = [&](const QStringList& more) {
    const Outcome outcome = runFarfield(
        QStringList{"batchvis", "s.json", "-o", "out", "--overwrite", "--quiet"} + more, path("."));
    const QImage picture(path("out/s.png"));
    double sum = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) sum += 1 - qGray(picture.pixel(x, y)) / 255.0;
    return outcome.status == 0 ? sum : 0;
  };
  const double usual = ink({}), wide = ink({"--line-scale", "3"});
  QVERIFY2(usual > 1000 && wide > 2.4 * usual && wide < 3.1 * usual,
           qPrintable(QString("%1 and %2").arg(usual).arg(wide)));
  QCOMPARE(ink({"--line-scale", "1"}), usual);
  for (const char* const wrong : {"0", "-2", "2x", "", "nan", "1000"})
    QCOMPARE(runFarfield({"batchvis", "s.json", "-o", "no", "--line-scale", wrong}, path(".")).status, 2);
  QVERIFY(!QDir(path("no")).exists());
}

QTEST_GUILESS_MAIN(TestCliStretch)
#include "tst_cli_stretch.moc"
