// Arrows through the built program: evenly spaced on planes, on grid surfaces and over blocks that overlap; what is
// written, drawn and refused.

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

const std::string kVortices = R"("source":"sample://taylor-green?size=33&curvilinear=true")";
const std::string kCylinder = R"("source":"sample://cylinder?size=33,25,9&blocks=3")";

std::string arrows(const std::string& on, const std::string& keys = R"("spacing":0.5)") {
  return R"({"name":"arrows","type":"arrows","on":)" + on + "," + keys + "}";
}

Vec3 at(const std::vector<double>& numbers, std::size_t n) {
  return {numbers[3 * n], numbers[3 * n + 1], numbers[3 * n + 2]};
}

}  // namespace

class TestArrows : public QObject {
  Q_OBJECT
 private slots:
  void areEvenOnPlanes();
  void areEvenAsTheyAreSeen();
  void areOnceWhereBlocksOverlap();
  void keepApartOnCurvedWalls();
  void areOnBothSidesOfThinLayers();
  void theVectorIsThatOfThePlace();
  void lieOnNamedSurfaces();
  void areDrawn();
  void areTheSameHoweverTheyAreComputed();
  void surfacesLargerThanTheBudget();
  void arrowsOfNoLengthAreSaid();
  void emptySurfacesLackNothing();
  void whatCannotBeIsRefused_data();
  void whatCannotBeIsRefused();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  RunResult run(const std::string& data, const std::string& objects, const Words& more = {}) {
    writeFile(m_folder / "arrows.json", sessionText(data, objects));
    std::filesystem::remove_all(m_folder / "out");
    Words words{"batchvis", "arrows.json", "-o", "out", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  }
  VtpFile made() const { return VtpFile(m_folder / "out" / "arrows.vtp"); }
  /// The distance of each place from the nearest other one.
  static std::vector<double> distances(const VtpFile& file) {
    std::vector<double> nearest;
    for (std::size_t n = 0; n < file.pointCount(); ++n) {
      double least = 1e300;
      for (std::size_t m = 0; m < file.pointCount(); ++m)
        if (m != n)
          least = std::min(least, length(at(file.array("Points", "Points").values, n) -
                                         at(file.array("Points", "Points").values, m)));
      nearest.push_back(least);
    }
    return nearest;
  }
  TemporaryFolder m_folder;
};

void TestArrows::areEvenOnPlanes() {
  for (const char* const normal : {"[0,0,1]", "[0.3,0.2,1]"}) {
    const RunResult result =
        run(kVortices, arrows(R"({"type":"slice","normal":)" + std::string(normal) + "}"));
    QVERIFY2(result.status == 0, result.errors.c_str());
    const std::vector<double> nearest = distances(made());
    QVERIFY2(nearest.size() > 100, std::to_string(nearest.size()).c_str());
    for (const double each : nearest) QVERIFY(std::abs(each - 0.5) < 1e-9);
  }
}

/// As it is seen where axes are stretched: the same places as on data that are so.
void TestArrows::areEvenAsTheyAreSeen() {
  for (const char* const normal : {"[0,1,0]", "[0.3,0.2,1]"}) {
    const RunResult result = run(kVortices, arrows(R"({"type":"slice","normal":)" + std::string(normal) + "}",
                                                   R"("spacing":0.5,"stretch":[1,1,10])"));
    QVERIFY2(result.status == 0, result.errors.c_str());
    const VtpFile file = made();
    const auto& places = file.array("Points", "Points").values;
    QVERIFY2(file.pointCount() > 100, std::to_string(file.pointCount()).c_str());
    for (std::size_t n = 0; n < file.pointCount(); ++n) {
      double least = 1e300;
      for (std::size_t m = 0; m < file.pointCount(); ++m) {
        const Vec3 apart = at(places, n) - at(places, m);
        if (m != n) least = std::min(least, length(Vec3{apart.x, apart.y, 10 * apart.z}));
      }
      QVERIFY2(std::abs(least - 0.5) < 1e-9, std::to_string(least).c_str());
    }
  }
}

/// The second block of the data lies over the ends of the first.
void TestArrows::areOnceWhereBlocksOverlap() {
  const RunResult result = run(kCylinder, arrows(R"({"type":"slice"})", R"("spacing":0.7)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const std::vector<double> nearest = distances(made());
  QVERIFY(nearest.size() > 50);
  for (const double each : nearest) QVERIFY2(each > 0.7 - 1e-9, std::to_string(each).c_str());
}

void TestArrows::keepApartOnCurvedWalls() {
  const RunResult result =
      run(kCylinder, arrows(R"({"type":"grid-surface","range":{"j":4}})", R"("spacing":0.4)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const std::vector<double> nearest = distances(made());
  QVERIFY(nearest.size() > 20);
  double sum = 0;
  for (const double each : nearest) {
    QVERIFY2(each >= 0.7 * 0.4, std::to_string(each).c_str());
    sum += each;
  }
  // no holes either
  QVERIFY(sum / static_cast<double>(nearest.size()) < 1.5 * 0.4);
}

/// Of a layer that is thinner than arrows are apart: as many on the one side as on the other, as even as on one alone.
void TestArrows::areOnBothSidesOfThinLayers() {
  constexpr double kWide = 32 * 0.2, kThick = 0.1;  // how far the data go
  Plot3dBlock block;
  block.dims = {33, 33, 2};
  const auto nodes = product(block.dims);
  for (int c = 0; c < 3; ++c)
    for (std::int64_t n = 0; n < nodes; ++n)
      block.xyz.push_back((c < 2 ? 0.2 : kThick) * static_cast<double>(unlinear(n, block.dims)[c]));
  for (const double value : {1.0, 0.5, 0.0, 0.0, 3.0})
    block.q.insert(block.q.end(), static_cast<std::size_t>(nodes), value);
  writePlot3d(m_folder / "layer.xyz", m_folder / "layer.q", {block});
  const std::string data = R"("source":"layer.xyz","solution":"layer.q")";
  const auto layer = [](const char* range) {
    return arrows(std::string(R"({"type":"grid-surface")") + range + "}");
  };
  const auto placesAt = [](const VtpFile& file, double z) {
    std::vector<Vec3> places;
    for (std::size_t n = 0; n < file.pointCount(); ++n)
      if (const Vec3 place = at(file.array("Points", "Points").values, n); std::abs(place.z - z) < 1e-9)
        places.push_back(place);
    return places;
  };
  const RunResult first = run(data, layer(R"(,"range":{"k":0})"));
  QVERIFY2(first.status == 0, first.errors.c_str());
  const VtpFile one = made();
  const double low = at(one.array("Points", "Points").values, 0).z;
  QVERIFY(run(data, layer(R"(,"range":{"k":1})")).status == 0);
  const VtpFile other = made();
  const double high = at(other.array("Points", "Points").values, 0).z;
  QVERIFY(high > low && high - low < 0.7 * 0.5);
  const RunResult result = run(data, layer(""));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile both = made();
  for (const double z : {low, high}) {
    // Those at the rim, which face neither way, keep the nearest ones away.
    const auto inside = [&](const VtpFile& file) {
      std::vector<Vec3> places = placesAt(file, z);
      std::erase_if(places, [](const Vec3& each) {
        return std::min({each.x, each.y, kWide - each.x, kWide - each.y}) < 0.4;
      });
      std::sort(places.begin(), places.end(),
                [](const Vec3& a, const Vec3& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
      return places;
    };
    const std::vector<Vec3> places = inside(both), alone = inside(z == low ? one : other);
    QVERIFY(alone.size() > 100);
    QCOMPARE(places.size(), alone.size());
    for (std::size_t n = 0; n < places.size(); ++n) QVERIFY(length(places[n] - alone[n]) < 1e-12);
  }
  writeFile(m_folder / "same.json", sessionText(data, layer("")));
  const RunResult same = runProgram({"verify", "same.json", "--memory", "16M", "--processors", "2"}, here());
  QVERIFY2(same.status == 0, (same.out + same.errors).c_str());
}

void TestArrows::theVectorIsThatOfThePlace() {
  const std::string slice = R"({"type":"slice","normal":[0.3,0.2,1]})";
  const std::string keys = R"("spacing":0.6,"color":{"by":"velocity-magnitude"})";
  QCOMPARE(run(kVortices, arrows(slice, keys)).status, 0);
  const VtpFile whole = made();
  const std::vector<double>& vectors = whole.array("PointData", "velocity").values;
  const std::vector<double>& speeds = whole.array("PointData", "velocity-magnitude").values;
  for (std::size_t n = 0; n < whole.pointCount(); ++n) {
    // interpolated apart from each other
    QVERIFY(std::abs(length(at(vectors, n)) - speeds[n]) < 0.05);
  }
  // three functions are the same vector; along the surface it is what lies in the plane
  QCOMPARE(
      run(kVortices, arrows(slice, keys + R"(,"vector":["velocity-x","velocity-y","velocity-z"])")).status,
      0);
  QVERIFY(made().array("PointData", "velocity").values == vectors);
  QCOMPARE(run(kVortices, arrows(slice, keys + R"(,"tangential":true)")).status, 0);
  const VtpFile along = made();
  const std::vector<double>& flat = along.array("PointData", "velocity").values;
  const Vec3 normal = (1 / length(Vec3{0.3, 0.2, 1})) * Vec3{0.3, 0.2, 1};
  double across = 0;
  for (std::size_t n = 0; n < whole.pointCount(); ++n) {
    const Vec3 v = at(vectors, n);
    across = std::max(across, std::abs(dot(v, normal)));
    QVERIFY(length(at(flat, n) - (v - dot(v, normal) * normal)) < 1e-9);
  }
  QVERIFY(across > 0.1);
}

void TestArrows::lieOnNamedSurfaces() {
  const std::string cut = R"({"name":"cut","type":"slice","normal":[0.2,0.1,1]})";
  QCOMPARE(run(kVortices, cut + "," + arrows(R"("cut")")).status, 0);
  const std::string named = fileContents(m_folder / "out" / "arrows.vtp");
  QCOMPARE(run(kVortices, arrows(R"({"type":"slice","normal":[0.2,0.1,1]})")).status, 0);
  QVERIFY(fileContents(m_folder / "out" / "arrows.vtp") == named);
  const RunResult curved =
      run(kVortices, arrows(R"({"type":"isosurface","by":"pressure","value":17.9})", R"("spacing":0.3)"));
  QVERIFY2(curved.status == 0, curved.errors.c_str());
  QVERIFY(made().pointCount() > 50);
}

void TestArrows::areDrawn() {
  const auto bytes = [&](const std::string& keys) -> std::uintmax_t {
    const RunResult result =
        run(kVortices, arrows(R"({"type":"slice"})", keys), {"--set", "output.images=true"});
    if (result.errors.find("this build") != std::string::npos) return 0;
    return result.status == 0 ? std::filesystem::file_size(m_folder / "out" / "arrows.png") : 1;
  };
  const std::uintmax_t few = bytes(R"("spacing":2)"), many = bytes(R"("spacing":0.3)");
  if (few == 0) QSKIP("this build draws no pictures");
  QVERIFY(few > 1 && many > 2 * few);
  // the same places, drawn otherwise
  const std::string places = fileContents(m_folder / "out" / "arrows.vtp");
  QVERIFY(bytes(R"("spacing":0.3,"length":"equal")") != many);
  QVERIFY(fileContents(m_folder / "out" / "arrows.vtp") == places);
}

void TestArrows::areTheSameHoweverTheyAreComputed() {
  writeFile(m_folder / "same.json",
            sessionText(R"("source":"sample://cylinder?size=17,13,9&blocks=2")",
                        arrows(R"({"type":"slice","normal":[0.1,0.2,1]})",
                               R"("spacing":0.5,"tangential":true,"color":{"by":"pressure"})")));
  const RunResult result =
      runProgram({"verify", "same.json", "--memory", "16M", "--processors", "2"}, here());
  QVERIFY2(result.status == 0, (result.out + result.errors).c_str());
}

/// On a surface of some 60 MB, within 6 MB.
void TestArrows::surfacesLargerThanTheBudget() {
  const std::string objects =
      arrows(R"on({"type":"isosurface","by":"sin(40*velocity-x)*cos(35*velocity-y)","value":0.1})on");
  const std::string data = R"("source":"sample://abc?size=97")";
  const RunResult tight = run(data, objects, {"--memory", "6M", "--stats", "stats.json"});
  QVERIFY2(tight.status == 0, tight.errors.c_str());
  const QJsonObject paging =
      QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(m_folder / "stats.json")))
          .object()["paging"]
          .toObject();
  QVERIFY(paging["peakBytes"].toDouble() <= paging["budgetBytes"].toDouble());
#ifndef FARFIELD_SANITIZED  // sanitizers take memory of their own
  QVERIFY2(tight.peakRssBytes < std::uint64_t{60} << 20,
           qPrintable(QString::number(tight.peakRssBytes >> 20)));
#endif
  QVERIFY(made().pointCount() > 1000);
  const std::string found = fileContents(m_folder / "out" / "arrows.vtp");
  QVERIFY(run(data, objects, {"--memory", "1G"}).status == 0);
  QVERIFY(fileContents(m_folder / "out" / "arrows.vtp") == found);
}

/// On walls without slip velocity is 0.
void TestArrows::arrowsOfNoLengthAreSaid() {
  const auto saidOf = [&](const std::string& keys) {
    writeFile(m_folder / "arrows.json",
              sessionText(kCylinder, arrows(R"({"type":"grid-surface","range":{"j":0}})", keys)));
    const RunResult result = runProgram(
        {"batchvis", "arrows.json", "-o", "still", "--overwrite", "--stats", "still.json"}, here());
    return result.status == 0 ? result.errors + fileContents(m_folder / "still.json")
                              : "failed: " + result.errors;
  };
  const std::string still = saidOf(R"("vector":["0*velocity-x","0*velocity-y","0*velocity-z"],"spacing":1)"),
                    flow = saidOf(R"("vector":["density","velocity-y","velocity-z"],"spacing":1)");
  QVERIFY2(still.find("object arrows has no arrow that is seen: its vector is 0 everywhere") !=
                   std::string::npos &&
               still.find("wall-shear-stress") != std::string::npos &&
               still.find("\"vectorIsZero\": true") != std::string::npos,
           still.c_str());
  QVERIFY2(flow.find("failed") == std::string::npos && flow.find("no arrow") == std::string::npos &&
               flow.find("vectorIsZero") == std::string::npos,
           flow.c_str());
  const std::string none = "\"sqrt(0-density)\"",
                    missing = saidOf(R"("vector":[)" + none + ',' + none + ',' + none + R"(],"spacing":1)");
  QVERIFY2(missing.find("has no arrow that is seen: its vector has no values") != std::string::npos &&
               missing.find("\"vectorHasNoValues\": true") != std::string::npos,
           missing.c_str());
}

/// On a surface where there is nothing, nothing was left out for lack of time.
void TestArrows::emptySurfacesLackNothing() {
  writeFile(m_folder / "arrows.json",
            sessionText(kVortices, arrows(R"({"type":"isosurface","by":"velocity-magnitude","value":1e9})")));
  const RunResult result =
      runProgram({"batchvis", "arrows.json", "-o", "empty", "--overwrite", "--stats", "empty.json"}, here());
  QVERIFY2(result.status == 0, result.errors.c_str());
  const std::string stats = fileContents(m_folder / "empty.json");
  QVERIFY2(stats.find("missing") == std::string::npos, stats.c_str());
  QVERIFY2(result.errors.find("object arrows is empty") != std::string::npos &&
               result.errors.find("time budget") == std::string::npos,
           result.errors.c_str());
}

void TestArrows::whatCannotBeIsRefused_data() {
  QTest::addColumn<std::string>("object");
  QTest::addColumn<std::string>("part");
  const auto row = [](const char* name, const std::string& object, const char* part) {
    QTest::newRow(name) << object << std::string(part);
  };
  const std::string slice = R"({"type":"slice"})";
  row("no surface", R"({"name":"arrows","type":"arrows"})", "objects.arrows.on: missing");
  row("a scalar", arrows(slice, R"("vector":"pressure")"), "object arrows: vector: ");
  row("no such function", arrows(slice, R"("vector":"velocty")"), "object arrows: vector: ");
  row("no spacing", arrows(slice, R"("spacing":0)"), "objects.arrows.spacing: must be a number above 0");
  row("no length", arrows(slice, R"("length":"long")"), "objects.arrows.length: must be \"auto\", \"equal\"");
  row("too fine", arrows(slice, R"("spacing":1e-9)"), "object arrows: spacing: the spacing is too small");
}

void TestArrows::whatCannotBeIsRefused() {
  QFETCH(std::string, object);
  QFETCH(std::string, part);
  const RunResult result = run(kVortices, object);
  QVERIFY2(
      result.status == 1 && result.errorLines().size() == 1 && result.errors.find(part) != std::string::npos,
      (std::to_string(result.status) + ": " + result.errors).c_str());
  QVERIFY(namesIn(m_folder / "out").empty());
}

QTEST_GUILESS_MAIN(TestArrows)
#include "tst_arrows.moc"
