// farfield info --thumbnail: a picture with no display, what its file says, and that nothing is left where there is none. And that
// info says what is not shown.

#include <QColor>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTcpServer>
#include <QTest>
#include <QUrl>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/support/zarr_sea.h"

using farfield::test::contents;
using farfield::test::environmentWithoutDisplay;
using farfield::test::Outcome;
using farfield::test::outcomeOf;
using farfield::test::runFarfield;
using farfield::test::TemporaryFolder;
using farfield::test::verifyRefused;
using farfield::test::write;

namespace {

/// A text image of VTK with a ball in the middle.
QByteArray ballFile() {
  constexpr int kNodes = 24;
  QByteArray text =
      "# vtk DataFile Version 3.0\nball\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 24 24 24\n"
      "ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 13824\nSCALARS heat float 1\nLOOKUP_TABLE default\n";
  for (int k = 0; k < kNodes; ++k)
    for (int j = 0; j < kNodes; ++j)
      for (int i = 0; i < kNodes; ++i) {
        const double x = i - 11.5, y = j - 11.5, z = k - 11.5;
        text += QByteArray::number(100 - (x * x + y * y + z * z)) + "\n";
      }
  return text;
}

int colorsOf(const QImage& image) {
  QSet<QRgb> colors;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y));
  return static_cast<int>(colors.size());
}

}  // namespace

class TestCliThumbnail : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_folder = std::make_unique<TemporaryFolder>(); }
  void drawsWithoutADisplay();
  void saysWhoseItIs();
  void ofOneValueAnotherIsShown();
  void ofOneToneTheShapeIsSeen();
  void showsEachKind_data();
  void showsEachKind();
  void leavesNothingOfWhatCannotBeRead();
  void keepsToItsBudget();
  void keepsToItsTime();
  void wrongUse();
  void whatIsLeftOutIsSaid();
  void layersOfOneCellHaveSixSides();
  void whatNumbersMeanIsSaid();

 private:
  QString path(const QString& name = {}) const { return m_folder->path().string().c_str() + ("/" + name); }
  QStringList files() const {
    return QDir(path()).entryList(QDir::Files | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  std::unique_ptr<TemporaryFolder> m_folder;
};

void TestCliThumbnail::drawsWithoutADisplay() {
  write(path("ball.vtk"), ballFile());
  QProcess process;
  process.setProcessEnvironment(environmentWithoutDisplay());
  process.setWorkingDirectory(path());
  process.start(farfield::test::programPath(),
                {"info", "ball.vtk", "--thumbnail", "ball.png", "--size", "96"});
  const Outcome outcome = outcomeOf(process);
  QVERIFY2(outcome.status == 0, outcome.errors);
  QVERIFY(outcome.out.contains("24 x 24 x 24"));
  const QImage image(path("ball.png"));
  QCOMPARE(image.size(), QSize(96, 96));
  QVERIFY(colorsOf(image) > 50);
  QCOMPARE(files(), (QStringList{"ball.png", "ball.vtk"}));
  // Again the same bytes; what it wrote itself it replaces.
  const QByteArray bytes = contents(path("ball.png"));
  QCOMPARE(runFarfield({"info", "ball.vtk", "--thumbnail", "ball.png", "--size", "96"}, path()).status, 0);
  QVERIFY(contents(path("ball.png")) == bytes);
  verifyRefused({"info", "ball.vtk", "--thumbnail", "ball.vtk"}, 1, "is read by this run", path());
}

namespace {

/// Cubes in a row, each shown by its faces, with numbers at their corners; the first has one value everywhere.
QByteArray rowOfCubes(bool hasAnother) {
  constexpr int kCubes = 6;
  QByteArray text = "# vtk DataFile Version 3.0\nrow\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 28 float\n";
  for (int n = 0; n < 28; ++n)
    text += QByteArray::number(n / 4) + " " + QByteArray::number(n % 2) + " " +
            QByteArray::number(n / 2 % 2) + "\n";
  text += "CELLS 6 54\n";
  for (int n = 0; n < kCubes; ++n) {
    text += "8";
    for (const int corner : {0, 1, 3, 2, 4, 5, 7, 6}) text += " " + QByteArray::number(4 * n + corner);
    text += "\n";
  }
  text += "CELL_TYPES 6\n" + QByteArray("12\n").repeated(kCubes) +
          "POINT_DATA 28\nSCALARS still float 1\nLOOKUP_TABLE default\n" + QByteArray("0\n").repeated(28);
  if (!hasAnother) return text;
  text += "SCALARS heat float 1\nLOOKUP_TABLE default\n";
  for (int n = 0; n < 28; ++n) text += QByteArray::number(n) + "\n";
  return text;
}

}  // namespace

void TestCliThumbnail::ofOneValueAnotherIsShown() {
  write(path("row.vtk"), rowOfCubes(true));
  SUCCEEDS(runFarfield({"info", "row.vtk", "--thumbnail", "row.png", "--size", "96"}, path()));
  const QImage image(path("row.png"));
  QSet<int> hues;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (const QColor color = image.pixelColor(x, y); color.saturation() > 60) hues.insert(color.hue() / 10);
  QVERIFY2(hues.size() > 5, QByteArray::number(hues.size()));
}

/// Nothing differs but how light the faces are.
void TestCliThumbnail::ofOneToneTheShapeIsSeen() {
  write(path("row.vtk"), rowOfCubes(false));
  SUCCEEDS(runFarfield({"info", "row.vtk", "--thumbnail", "row.png", "--size", "96"}, path()));
  const QImage image(path("row.png"));
  // Whole faces, not what lies between them.
  QHash<QRgb, int> pixels;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) ++pixels[image.pixel(x, y)];
  pixels.remove(image.pixel(0, 0));
  QList<QColor> faces;
  for (auto each = pixels.cbegin(); each != pixels.cend(); ++each)
    if (each.value() > 40) faces.append(QColor(each.key()));
  int lightest = 0, darkest = 255;
  for (const QColor& face : faces) {
    lightest = std::max(lightest, face.lightness());
    darkest = std::min(darkest, face.lightness());
  }
  QVERIFY2(faces.size() >= 2 && lightest - darkest > 25,
           qPrintable(QString("%1 faces, %2 to %3").arg(faces.size()).arg(darkest).arg(lightest)));
}

void TestCliThumbnail::saysWhoseItIs() {
  const QString name = QString::fromUtf8("a b é#1.vtk");
  write(path(name), ballFile());
  QCOMPARE(runFarfield({"info", name, "--thumbnail", "x.png"}, path()).status, 0);
  const QImage image(path("x.png"));
  QCOMPARE(image.size(), QSize(256, 256));
  QCOMPARE(image.text("Thumb::URI").toUtf8(), QUrl::fromLocalFile(path(name)).toEncoded());
  QCOMPARE(image.text("Thumb::MTime").toLongLong(), QFileInfo(path(name)).lastModified().toSecsSinceEpoch());
  QCOMPARE(image.text("Thumb::Size").toLongLong(), QFileInfo(path(name)).size());
  QCOMPARE(image.text("Title"), name);
  QCOMPARE(image.text("Software"), QString("Farfield"));
  QVERIFY2(image.text("Description").contains("1 block of 24 x 24 x 24 nodes, 12167 cells; heat"),
           qPrintable(image.text("Description")));
  QCOMPARE(image.text("X-Farfield::Dimensions"), QString("24 x 24 x 24"));
  QCOMPARE(image.text("X-Farfield::Variables"), QString("heat"));
  QCOMPARE(image.text("X-Farfield::Steps"), QString("1"));
}

void TestCliThumbnail::showsEachKind_data() {
  QTest::addColumn<QString>("data");
  QTest::newRow("blocks that a flow goes through") << "sample://cylinder?size=33,41,17&blocks=8";
  QTest::newRow("steps") << "sample://taylor-green?size=20,20,20&steps=3";
  QTest::newRow("a volume") << "sample://marschner-lobb?size=40,40,40";
}

void TestCliThumbnail::showsEachKind() {
  QFETCH(QString, data);
  SUCCEEDS(runFarfield({"info", data, "--thumbnail", "x.png", "--size", "128"}, path()));
  const QImage image(path("x.png"));
  QCOMPARE(image.size(), QSize(128, 128));
  QVERIFY(colorsOf(image) > 20);
  QCOMPARE(files(), QStringList{"x.png"});
}

void TestCliThumbnail::leavesNothingOfWhatCannotBeRead() {
  write(path("cut.vtk"), ballFile().left(2000));
  verifyRefused({"info", "cut.vtk", "--thumbnail", "x.png"}, 1, "cut.vtk", path());
  write(path("noise.vti"), "<VTKFile type=\"ImageData\"><ImageData");
  verifyRefused({"info", "noise.vti", "--thumbnail", "x.png"}, 1, "noise.vti", path());
  verifyRefused({"info", "none.vti", "--thumbnail", "x.png"}, 1, "none.vti", path());
  QCOMPARE(files(), (QStringList{"cut.vtk", "noise.vti"}));
}

void TestCliThumbnail::keepsToItsBudget() {
  write(path("ball.vtk"), ballFile());
  verifyRefused({"info", "ball.vtk", "--thumbnail", "x.png", "--memory", "10K"}, 1, "--memory", path());
  QCOMPARE(files(), QStringList{"ball.vtk"});
}

void TestCliThumbnail::keepsToItsTime() {
  // A server that takes connections and says nothing.
  QTcpServer silent;
  QVERIFY(silent.listen(QHostAddress::LocalHost));
  const QString url = QString("far://127.0.0.1:%1/a.vti").arg(silent.serverPort());
  QElapsedTimer timer;
  timer.start();
  verifyRefused({"info", url, "--thumbnail", "x.png", "--time-limit", "2"}, 1, "longer than 2 s", path());
  QVERIFY(timer.elapsed() < 15'000);
  QVERIFY(files().isEmpty());
}

void TestCliThumbnail::wrongUse() {
  verifyRefused({"info", "sample://abc", "--size", "64"}, 2, "--thumbnail", path());
  verifyRefused({"info", "sample://abc", "--thumbnail", "x.png", "--size", "7"}, 2, "16 to 4096", path());
  verifyRefused({"info", "sample://abc", "--thumbnail", "none/x.png"}, 1, "folder is not there", path());
}

void TestCliThumbnail::whatIsLeftOutIsSaid() {
  QByteArray text = ballFile() + "CELL_DATA 12167\nSCALARS weight float 1\nLOOKUP_TABLE default\n";
  for (int n = 0; n < 12167; ++n) text += "1\n";
  write(path("both.vtk"), text);
  const Outcome words = runFarfield({"info", "both.vtk"}, path());
  QCOMPARE(words.status, 0);
  QVERIFY2(words.out.contains("left out   1\n  the values of cells (weight)"), words.out);
  const Outcome json = runFarfield({"info", "both.vtk", "--json"}, path());
  QVERIFY2(json.out.contains("\"leftOut\": [\n    \"the values of cells (weight)"), json.out);
  write(path("ball.vtk"), ballFile());
  QVERIFY(!runFarfield({"info", "ball.vtk"}, path()).out.contains("left out"));
}

/// A layer of one cell has an inside, and six sides that can be drawn: none of its boundaries is an edge of a sheet.
void TestCliThumbnail::layersOfOneCellHaveSixSides() {
  NEEDS_DATA("data/hdf/transient-fields.cgns");
  const QString layer =
      QString::fromStdString(farfield::test::dataPath("data/hdf/transient-fields.cgns").string());
  const Outcome words = runFarfield({"info", layer}, path());
  QVERIFY2(words.out.contains("\nsurfaces   6\n") && !words.out.contains("\nedges"), words.out);
  const QJsonArray all =
      QJsonDocument::fromJson(runFarfield({"info", layer, "--json"}, path()).out)["surfaces"].toArray();
  QCOMPARE(all.size(), 6);
  for (const QJsonValue& each : all) QVERIFY(!each["edge"].toBool());
}

/// Units, axes and clocks, in words.
void TestCliThumbnail::whatNumbersMeanIsSaid() {
  farfield::test::writeSea(path("sea").toStdString());
  const Outcome words = runFarfield({"info", "sea", "--ranges"}, path());
  QVERIFY2(words.status == 0, words.errors);
  for (const char* part : {"steps      3  t 0 … 2  days since 2001-1-1, 360_day\n",
                           "dates      2001-01-01 00:00 … 2001-01-03 00:00\n",
                           "axes       x lon (degrees_east); y lat (degrees_north)\n", "  0 … 59  K\n"})
    QVERIFY2(words.out.contains(part), words.out);
  const Outcome probed =
      runFarfield({"probe", "sea", "--at", "1,1,0", "--function", "heat", "--steps", "1:2"}, path());
  QVERIFY2(probed.out.contains("# step 1, time 1, 2001-01-02 00:00\n"), probed.out + probed.errors);
  // a folder is converted like a file, and what it says goes with it
  const Outcome converted = runFarfield({"convert", "sea", "-o", "sea.h5", "--quiet"}, path());
  QVERIFY2(converted.status == 0, converted.errors);
  const Outcome store = runFarfield({"info", "sea.h5", "--ranges"}, path());
  QVERIFY2(store.out.contains("  0 … 59  K\n"), store.out);
  // parts of vectors are listed, and have the units of the vector
  const QStringList named{"--option", "vectors=wind=u,v,w"};
  const Outcome parts = runFarfield(QStringList{"info", "sea", "--ranges"} + named, path());
  QVERIFY2(parts.status == 0, parts.errors);
  QVERIFY2(parts.out.contains("wind-magnitude         f64   = of the components of wind  m s-1\n"),
           parts.out);
  const QJsonArray listed =
      QJsonDocument::fromJson(
          runFarfield(QStringList{"info", "sea", "--ranges", "--json"} + named, path()).out)
          .object()["variables"]
          .toArray();
  QStringList said;
  for (const QJsonValue& each : listed) said.append(each["name"].toString() + " " + each["units"].toString());
  for (const char* const part : {"heat K", "wind m s-1", "u m s-1", "wind-magnitude m s-1"})
    QVERIFY2(said.contains(part), qPrintable(said.join("; ")));
  const QStringList probe = QStringList{"probe",          "sea",        "--at", "1,1,0",      "--function",
                                        "wind-magnitude", "--function", "heat", "--function", "heat*heat"} +
                            named;
  const Outcome text = runFarfield(probe, path());
  QVERIFY2(text.status == 0, text.errors);
  QVERIFY2(text.out.startsWith("# x,y,z wind-magnitude heat heat*heat\n# in wind-magnitude m s-1, heat K\n"),
           text.out);
  const QJsonObject units = QJsonDocument::fromJson(runFarfield(probe + QStringList{"--json"}, path()).out)
                                .object()["units"]
                                .toObject();
  QCOMPARE(units, (QJsonObject{{"wind-magnitude", "m s-1"}, {"heat", "K"}}));
}

QTEST_GUILESS_MAIN(TestCliThumbnail)
#include "tst_cli_thumbnail.moc"
