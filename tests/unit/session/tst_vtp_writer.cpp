// Geometry files as VTK reads them, where VTK for Python is there; and their bytes, where it is not.

#include <QTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <cmath>

#include "core/session/results/line_spool.h"
#include "core/session/results/vtp_writer.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;

namespace {

bool hasVtk() {
  static const bool has = QProcess::execute("python3", {"-c", "import vtk"}) == 0;
  return has;
}

QJsonObject readWithVtk(const std::filesystem::path& path) {
  QProcess python;
  python.start("python3", {FARFIELD_READ_VTP, QString::fromStdString(path.string())});
  python.waitForFinished(60'000);
  return QJsonDocument::fromJson(python.readAllStandardOutput()).object();
}

QByteArray bytesOf(const std::filesystem::path& path) {
  QFile file(QString::fromStdString(path.string()));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

double number(const QJsonValue& value) {
  return value.toString().toDouble();
}

/// Two seeds in both directions; the second lies outside. Written in another order when `reversed`.
void fill(LineSpool& spool, bool reversed) {
  for (int k = 0; k < 4; ++k) {
    const int line = reversed ? 3 - k : k;
    auto writer = spool.open(static_cast<std::uint64_t>(line));
    if (line >= 2) {
      writer.finish({.termination = flow::Termination::SeedOutside}, {9, 9, 9});
      continue;
    }
    const double sign = line == 0 ? 1 : -1;
    for (int v = 0; v < 3 + line; ++v)
      writer.vertex({sign * v, 0.1, 0}, sign * 0.5 * v, std::array<double, 4>{1.0 * v, 2, 3, 1.0 / 3 + v});
    writer.finish({.termination = flow::Termination::MaxLength, .block = 4}, {0, 0, 0});
  }
}

/// Of lines with a velocity and one more value, which colours them.
LineFileContents contentsOf(const std::string& color) {
  return {.vertices = {{"time", 3, 1}, {"velocity", 4, 3}, {color, 7, 1}},
          .cells = {{"seed"}, {"direction"}, {"termination"}, {"block"}},
          .scalars = color,
          .vectors = "velocity",
          .terminations = true};
}

}  // namespace

class TestVtpWriter : public QObject {
  Q_OBJECT
 private slots:
  void lines();
  void equalResultsAreEqualBytes();
  void outline();
  void emptyFile();
  void surface();
  void surfaceInPieces();
};

void TestVtpWriter::lines() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  const auto spool = std::make_shared<LineSpool>(
      LineSpoolOptions{.folder = folder.path(), .lineCount = 4, .valuesPerVertex = 4}, account);
  fill(*spool, false);
  writeLines(folder / "a.vtp", *polylinesOf(spool, {1, -1}), contentsOf("a<b&\"c\""));
  const QByteArray bytes = bytesOf(folder / "a.vtp");
  QVERIFY(bytes.contains("version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\""));
  QVERIFY(!bytes.contains(QByteArray::fromStdString(folder.path().string())));
  if (!hasVtk()) QSKIP("VTK for Python is not there");
  const QJsonObject data = readWithVtk(folder / "a.vtp");
  QCOMPARE(data["pointsType"].toString(), "double");
  const QJsonArray lines = data["lines"].toArray();
  QCOMPARE(lines.size(), 4);
  QCOMPARE(lines[0].toArray().size(), 3);
  QCOMPARE(lines[1].toArray(), (QJsonArray{3, 4, 5, 6}));
  QCOMPARE(lines[2].toArray(), QJsonArray{7});
  QCOMPARE(lines[3].toArray(), QJsonArray{8});
  QCOMPARE(data["scalars"].toString(), "a<b&\"c\"");
  QCOMPARE(data["vectors"].toString(), "velocity");
  QCOMPARE(data["terminations"].toArray()[2].toString(), "max-time");
  QCOMPARE(data["terminations"].toArray().size(), qsizetype(flow::kTerminationCount));
  const auto cell = [&](const char* name, int n) {
    return number(data["cellData"].toObject()[name].toObject()["values"].toArray()[n].toArray()[0]);
  };
  for (int n = 0; n < 4; ++n) {
    QCOMPARE(cell("seed", n), n / 2);
    QCOMPARE(cell("direction", n), n % 2 ? -1 : 1);
    QCOMPARE(cell("termination", n), n < 2 ? 3 : 6);
    QCOMPARE(cell("block", n), n < 2 ? 4 : -1);
  }
  QCOMPARE(data["cellData"].toObject()["direction"].toObject()["type"].toString(), "int");
  const QJsonObject pointData = data["pointData"].toObject();
  QCOMPARE(pointData.keys(), (QStringList{"a<b&\"c\"", "time", "velocity"}));
  QCOMPARE(number(pointData["time"].toObject()["values"].toArray()[4].toArray()[0]), -0.5);
  QCOMPARE(number(pointData["a<b&\"c\""].toObject()["values"].toArray()[2].toArray()[0]), 1.0 / 3 + 2);
  QCOMPARE(pointData["velocity"].toObject()["values"].toArray()[1].toArray(),
           (QJsonArray{"1.0", "2.0", "3.0"}));
  QVERIFY(std::isnan(number(pointData["velocity"].toObject()["values"].toArray()[7].toArray()[0])));
  QCOMPARE(data["points"].toArray()[8].toArray(), (QJsonArray{"9.0", "9.0", "9.0"}));
  QCOMPARE(data["points"].toArray()[1].toArray(), (QJsonArray{"1.0", "0.1", "0.0"}));
}

void TestVtpWriter::equalResultsAreEqualBytes() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  QByteArray first;
  for (const std::size_t blockBytes : {512, 4096}) {
    for (const bool reversed : {false, true}) {
      const auto spool = std::make_shared<LineSpool>(
          LineSpoolOptions{
              .folder = folder.path(), .lineCount = 4, .valuesPerVertex = 4, .blockBytes = blockBytes},
          account);
      fill(*spool, reversed);
      writeLines(folder / "x.vtp", *polylinesOf(spool, {1, -1}), contentsOf("c"));
      const QByteArray bytes = bytesOf(folder / "x.vtp");
      if (first.isEmpty()) first = bytes;
      QVERIFY(bytes == first);
    }
  }
}

void TestVtpWriter::outline() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  const auto spool = std::make_shared<LineSpool>(
      LineSpoolOptions{.folder = folder.path(), .lineCount = 12, .valuesPerVertex = 0}, account);
  for (std::uint64_t n = 0; n < 12; ++n) {
    auto writer = spool->open(n);
    for (int v = 0; v < 5; ++v) writer.vertex({double(n), double(v), 0}, 0, {});
    writer.finish({}, {});
  }
  writeLines(folder / "o.vtp", *polylinesOf(spool), {});
  if (!hasVtk()) QSKIP("VTK for Python is not there");
  const QJsonObject data = readWithVtk(folder / "o.vtp");
  QCOMPARE(data["lines"].toArray().size(), 12);
  QCOMPARE(data["points"].toArray().size(), 60);
  QVERIFY(data["pointData"].toObject().isEmpty() && data["cellData"].toObject().isEmpty());
}

void TestVtpWriter::emptyFile() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  const SurfaceSpool spool(folder.path(), 3, 1, account);
  writeSurface(folder / "e.vtp", spool, {NamedValue{"density", 0}});
  if (!hasVtk()) QSKIP("VTK for Python is not there");
  const QJsonObject data = readWithVtk(folder / "e.vtp");
  QVERIFY(data.contains("polys"));
  QCOMPARE(data["polys"].toArray().size(), 0);
}

void TestVtpWriter::surface() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  SurfaceSpool spool(folder.path(), 3, 2, account);
  for (const std::size_t n : {2u, 0u, 1u}) {
    const double x = 10.0 * double(n);
    const std::vector<double> points{x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, x, 1, 0};
    const std::vector<double> normals{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    const std::vector<double> values{1, x, 2, x + 1, 3, x + 2, 4, x + 3};
    std::vector<std::uint32_t> triangles{0, 1, 2, 0, 2, 3};
    if (n == 1) triangles.clear();
    spool.patch(n, {points, normals, values, triangles});
  }
  writeSurface(folder / "s.vtp", spool, {NamedValue{"density", 1}});
  if (!hasVtk()) QSKIP("VTK for Python is not there");
  const QJsonObject data = readWithVtk(folder / "s.vtp");
  QCOMPARE(data["points"].toArray().size(), 8);
  QCOMPARE(data["polys"].toArray(),
           (QJsonArray{QJsonArray{0, 1, 2}, QJsonArray{0, 2, 3}, QJsonArray{4, 5, 6}, QJsonArray{4, 6, 7}}));
  QVERIFY(data["normals"].toBool());
  QCOMPARE(data["scalars"].toString(), "density");
  QCOMPARE(number(data["pointData"].toObject()["density"].toObject()["values"].toArray()[5].toArray()[0]),
           21.0);
}

void TestVtpWriter::surfaceInPieces() {
  const test::TemporaryFolder folder;
  MemoryAccount account(1 << 20);
  SurfaceSpool spool(folder.path(), 7, 1, account);
  for (const std::size_t n : {5u, 0u, 2u, 3u}) {
    const double x = 10.0 * double(n);
    const std::vector<double> points{x, 0, 0, x + 1, 0, 0, x + 1, 1, 0}, normals{0, 0, 1, 0, 0, 1, 0, 0, 1};
    spool.patch(n, {points, normals, std::vector<double>{x, x, x + 1}, std::vector<std::uint32_t>{0, 1, 2}});
  }
  QCOMPARE(spool.pieces(2).size(), 2u);
  QCOMPARE(spool.pieces(100).size(), 1u);
  QCOMPARE(spool.pieces(1).size(), 4u);  // one patch at least
  writeSurfaceInPieces(folder / "s.pvtp", spool, {NamedValue{"density", 0}}, 1);
  QVERIFY(std::filesystem::exists(folder / "s.0003.vtp") && !std::filesystem::exists(folder / "s.0004.vtp"));
  writeSurfaceInPieces(folder / "s.pvtp", spool, {NamedValue{"density", 0}}, 3);
  QVERIFY(std::filesystem::exists(folder / "s.0001.vtp") && !std::filesystem::exists(folder / "s.0002.vtp"));
  QVERIFY(!bytesOf(folder / "s.pvtp").contains(QByteArray::fromStdString(folder.path().string())));
  SurfaceSpool nothing(folder.path(), 3, 1, account);
  writeSurfaceInPieces(folder / "n.pvtp", nothing, {}, 3);
  QVERIFY(std::filesystem::exists(folder / "n.0000.vtp"));
  if (!hasVtk()) QSKIP("VTK for Python is not there");
  const QJsonObject data = readWithVtk(folder / "s.pvtp");
  QCOMPARE(data["points"].toArray().size(), 12);
  QCOMPARE(data["polys"].toArray(), (QJsonArray{QJsonArray{0, 1, 2}, QJsonArray{3, 4, 5}, QJsonArray{6, 7, 8},
                                                QJsonArray{9, 10, 11}}));
  QCOMPARE(data["scalars"].toString(), "density");
  QVERIFY(data["normals"].toBool());
  QCOMPARE(data["points"].toArray()[10].toArray(), (QJsonArray{"51.0", "0.0", "0.0"}));
  QCOMPARE(readWithVtk(folder / "n.pvtp")["points"].toArray().size(), 0);
}

QTEST_APPLESS_MAIN(TestVtpWriter)
#include "tst_vtp_writer.moc"
