// Surfaces that the data name, through the built program: listed by info, shown by name, kept by a store.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

QJsonArray surfacesOf(const std::string& out) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(out)).object()["surfaces"].toArray();
}

std::string surfaceObject(const std::string& where) {
  return R"({"name":"wall","type":"grid-surface",)" + where + R"(,"color":{"by":"density"}})";
}

}  // namespace

class TestSurfaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void infoListsThem();
  void shownByName();
  void integralsTakeNames();
  void storesKeepThem();
  void unknownNamesAreAnswered();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  /// The geometry of object "wall" of a session of it alone.
  std::string geometry(const std::string& data, const std::string& object);
  TemporaryFolder m_folder;
  int m_run = 0;
};

void TestSurfaces::initTestCase() {
  // Two blocks side by side: wall points on k = 0 of the first; a file that names faces of both.
  std::vector<Plot3dBlock> blocks(2);
  for (std::size_t b = 0; b < 2; ++b) {
    Plot3dBlock& block = blocks[b];
    block.dims = {9, 6, 5};
    const auto nodes = static_cast<std::size_t>(product(block.dims));
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t n = 0; n < nodes; ++n) {
        const Index3 node = unlinear(static_cast<std::int64_t>(n), block.dims);
        block.xyz.push_back(double(node[c]) + (c == 0 ? 8.0 * double(b) : 0.1 * double(node[0])));
      }
    for (std::size_t n = 0; n < 5 * nodes; ++n) block.q.push_back(1 + 0.01 * double(n % nodes));
    for (std::size_t n = 0; n < nodes; ++n)
      block.iblank.push_back(b == 0 && unlinear(static_cast<std::int64_t>(n), block.dims)[2] == 0 ? 2 : 1);
  }
  writePlot3d(m_folder / "g.xyz", m_folder / "g.q", blocks);
  writeFile(m_folder / "g.fvbnd",
            "FVBND 1 4\nside\nend of all\nBOUNDARIES\n1 1 1 9 1 1 1 5 F 0\n1 2 1 9 1 1 1 5 F 0\n"
            "2 2 $ $ 2 5 1 5 F 0\n");
}

std::string TestSurfaces::geometry(const std::string& data, const std::string& object) {
  const std::string name = "run" + std::to_string(m_run++);
  writeFile(m_folder / (name + ".json"), sessionText(data, object));
  const RunResult result = runProgram({"batchvis", name + ".json", "-o", name, "--quiet"}, here());
  if (result.status != 0) return result.errors;
  return fileContents(m_folder / name / "wall.vtp");
}

void TestSurfaces::infoListsThem() {
  const RunResult json = runProgram({"info", "g.xyz", "--solution", "g.q", "--json"}, here());
  QVERIFY2(json.status == 0, json.errors.c_str());
  const QJsonArray surfaces = surfacesOf(json.out);
  QCOMPARE(surfaces.size(), 4);
  const QJsonObject end = surfaces[2].toObject(), wall = surfaces[3].toObject();
  QCOMPARE(end["name"].toString(), QString("end of all"));
  QCOMPARE(end["block"].toInt(), 1);
  QCOMPARE(end["range"].toObject()["i"].toArray(), (QJsonArray{8, 8}));
  QCOMPARE(end["range"].toObject()["j"].toArray(), (QJsonArray{1, 4}));
  QCOMPARE(end["from"].toString(), QString("g.fvbnd"));
  QCOMPARE(wall["name"].toString(), QString("wall"));
  QCOMPARE(wall["kind"].toString(), QString("wall"));
  QCOMPARE(wall["range"].toObject()["k"].toArray(), (QJsonArray{0, 0}));
  const RunResult text = runProgram({"info", "g.xyz"}, here());
  QVERIFY2(text.out.find("surfaces   4\n") != std::string::npos &&
               text.out.find("end of all             block 1, i 8, j 1 to 4, k 0 to 4 (g.fvbnd)") !=
                   std::string::npos,
           text.out.c_str());
}

void TestSurfaces::shownByName() {
  const std::string data = R"("source":"g.xyz","solution":"g.q")";
  const std::string wall = geometry(data, surfaceObject(R"("surface":"wall")"));
  QVERIFY2(wall.starts_with("<?xml"), wall.c_str());
  QCOMPARE(wall, geometry(data, surfaceObject(R"("block":0,"range":{"k":0})")));
  QCOMPARE(geometry(data, surfaceObject(R"("surface":"end of all")")),
           geometry(data, surfaceObject(R"("block":1,"range":{"i":-1,"j":[1,4]})")));
  // All sheets of one name, of both blocks.
  QCOMPARE(geometry(data, surfaceObject(R"("surface":"side")")),
           geometry(data, surfaceObject(R"("blocks":[0,1],"range":{"j":0})")));
}

void TestSurfaces::integralsTakeNames() {
  const auto out = [&](const char* surface) {
    const RunResult result =
        runProgram({"integrate", "g.xyz", "--solution", "g.q", "--surface", surface, "--mass-flow"}, here());
    return result.status == 0 ? result.out : result.errors;
  };
  QVERIFY2(out("wall").find("0:kmin") != std::string::npos, out("wall").c_str());
  QCOMPARE(out("wall"), out("0:kmin"));
  QCOMPARE(out("side"), out("all:jmin"));
  QVERIFY(out("wal").find("a name that info lists") != std::string::npos);
}

void TestSurfaces::storesKeepThem() {
  const RunResult made =
      runProgram({"convert", "g.xyz", "--solution", "g.q", "-o", "g.h5", "--levels", "2", "--quiet"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  const auto listed = [&](std::vector<std::string> words) {
    words.push_back("--json");
    return surfacesOf(runProgram(words, here()).out);
  };
  QCOMPARE(listed({"info", "g.h5"}), listed({"info", "g.xyz"}));
  for (const char* const name : {"wall", "end of all", "side"}) {
    const std::string object = surfaceObject(std::string(R"("surface":")") + name + '"');
    QCOMPARE(geometry(R"("source":"g.h5")", object),
             geometry(R"("source":"g.xyz","solution":"g.q")", object));
  }
  // Of a coarser level: nodes 1 to 4 of 6 are between 0 and 2 of 4 there.
  const QJsonObject end = listed({"info", "g.h5", "--option", "level=1"})[2].toObject()["range"].toObject();
  QCOMPARE(end["i"].toArray(), (QJsonArray{4, 4}));
  QCOMPARE(end["j"].toArray(), (QJsonArray{0, 2}));
  QCOMPARE(end["k"].toArray(), (QJsonArray{0, 2}));
}

void TestSurfaces::unknownNamesAreAnswered() {
  const std::string data = R"("source":"g.xyz","solution":"g.q")";
  const auto fails = [&](const std::string& object, const char* part) {
    const std::string words = geometry(data, object);
    QVERIFY2(words.starts_with("farfield: ") && words.find(part) != std::string::npos &&
                 words.find('\n') == words.size() - 1,
             words.c_str());
  };
  fails(surfaceObject(R"("surface":"wal")"), "choose from side, end of all, wall");
  fails(surfaceObject(R"("surface":"wal")"), "surface");
  fails(surfaceObject(R"("surface":"wall","block":0)"), "cannot be combined with block");
  fails(surfaceObject(R"("surface":"wall","range":{"k":0})"), "cannot be combined with range");
  fails(surfaceObject(R"("surface":7)"), "objects.wall.surface");
}

QTEST_GUILESS_MAIN(TestSurfaces)
#include "tst_surfaces.moc"
