// Textures of a vector through the built program: along the exact flow on a plane, once where blocks overlap, whole on
// curved walls; what is written, drawn and refused.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/face_files.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

/// Its velocity goes as (sin x cos y, -cos x sin y, 0) in each plane across z.
const std::string kVortices = R"("source":"sample://taylor-green?size=33&curvilinear=true")";
const std::string kCylinder = R"("source":"sample://cylinder?size=33,25,9&blocks=3")";

std::string lic(const std::string& on, const std::string& keys = R"("resolution":300)") {
  return R"({"name":"flow","type":"lic","on":)" + on + "," + keys + "}";
}

Vec3 pointOf(const VtpFile& file, std::size_t n) {
  return {file.array("Points", "Points").values[3 * n], file.array("Points", "Points").values[3 * n + 1],
          file.array("Points", "Points").values[3 * n + 2]};
}

double areaOf(const VtpFile& file) {
  const std::vector<double>& corners = file.array("Polys", "connectivity").values;
  double area = 0;
  for (std::size_t t = 0; t < corners.size(); t += 3) {
    const auto corner = [&](std::size_t n) {
      return pointOf(file, static_cast<std::size_t>(corners[t + n]));
    };
    area += 0.5 * length(cross(corner(1) - corner(0), corner(2) - corner(0)));
  }
  return area;
}

/// Of pairs of values.
class Correlation {
 public:
  void add(double x, double y) { ++m_n, m_x += x, m_y += y, m_xx += x * x, m_yy += y * y, m_xy += x * y; }
  double count() const { return m_n; }
  double value() const {
    return (m_xy - m_x * m_y / m_n) / std::sqrt((m_xx - m_x * m_x / m_n) * (m_yy - m_y * m_y / m_n));
  }

 private:
  double m_n = 0, m_x = 0, m_y = 0, m_xx = 0, m_yy = 0, m_xy = 0;
};

}  // namespace

class TestLic : public QObject {
  Q_OBJECT
 private slots:
  void followsTheExactFlow();
  void isEvenInStretchedViews_data();
  void isEvenInStretchedViews();
  void isOnceWhereBlocksOverlap();
  void coversCurvedWalls();
  void followsTheFlowFromFaceToFace();
  void coversFaces_data();
  void coversFaces();
  void onFacesItIsTheSameHoweverItIsComputed();
  void liesBetweenNodes();
  void carriesColours();
  void noiseIsSaidToBeNoise();
  void isDrawn();
  void isTheSameHoweverItIsComputed();
  void tinySheetsAreSeveralTasks();
  void texturesLargerThanTheBudget();
  void whatCannotBeIsRefused_data();
  void whatCannotBeIsRefused();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  RunResult run(const std::string& data, const std::string& objects, const Words& more = {}) {
    writeFile(m_folder / "lic.json", sessionText(data, objects));
    std::filesystem::remove_all(m_folder / "out");
    Words words{"batchvis", "lic.json", "-o", "out", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  }
  VtpFile made(const char* name = "flow.vtp") const { return VtpFile(m_folder / "out" / name); }
  TemporaryFolder m_folder;
};

void TestLic::isEvenInStretchedViews_data() {
  QTest::addColumn<std::string>("surface");
  QTest::newRow("plane") << std::string(R"({"type":"slice","origin":[3.1,0.4,3.1],"normal":[0,1,0]})");
  QTest::newRow("sheet") << std::string(R"({"type":"grid-surface","range":{"j":2}})");
}

/// Where z is seen eight times as long texels are an eighth as high in the data, and the flow, which goes along x there, is alike
/// along it, but not from row to row.
void TestLic::isEvenInStretchedViews() {
  QFETCH(std::string, surface);
  const RunResult result = run(R"("source":"sample://taylor-green?size=33")",
                               lic(surface, R"("resolution":300,"stretch":[1,1,8])"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const double side = 2 * std::acos(-1.0);
  QVERIFY(std::abs(areaOf(file) - side * side) < 1e-6);  // up to every edge
  const std::vector<double>& light = file.array("PointData", "lic").values;
  std::map<std::pair<long, long>, double> at;
  std::set<long> columns, rows;
  constexpr double kFine = 1e6;
  for (std::size_t n = 0; n < file.pointCount(); ++n) {
    const Vec3 p = pointOf(file, n);
    columns.insert(std::lround(kFine * p.x)), rows.insert(std::lround(kFine * p.z));
    at[{std::lround(kFine * p.x), std::lround(kFine * p.z)}] = light[n];
  }
  const double wide = side / static_cast<double>(columns.size() - 1),
               high = side / static_cast<double>(rows.size() - 1);
  QVERIFY2(wide / high > 4.5 && wide / high < 9.5, std::to_string(wide / high).c_str());
  const std::vector<long> x(columns.begin(), columns.end()), z(rows.begin(), rows.end());
  Correlation along, across;
  for (std::size_t i = 0; i + 6 < x.size(); ++i)
    for (std::size_t j = 0; j + 6 < z.size(); ++j) {
      if (std::abs(std::sin(static_cast<double>(x[i]) / kFine)) < 0.5) continue;
      const double here = at.at({x[i], z[j]});
      along.add(here, at.at({x[i + 3], z[j]}));
      across.add(here, at.at({x[i], z[j + 6]}));
    }
  QVERIFY(along.count() > 1000);
  QVERIFY2(along.value() > 0.7 && std::abs(across.value()) < 0.2,
           (std::to_string(along.value()) + ' ' + std::to_string(across.value())).c_str());
}

/// Alike six texels along the lines of the formula, and not across them.
void TestLic::followsTheExactFlow() {
  const RunResult result = run(kVortices, lic(R"({"type":"slice","origin":[3.1,3.1,0.4]})"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const std::vector<double>& light = file.array("PointData", "lic").values;
  // texels are the nodes of a regular net
  std::map<std::pair<long, long>, double> at;
  Bounds bounds;
  for (std::size_t n = 0; n < file.pointCount(); ++n) bounds.add(pointOf(file, n));
  const double texel = 2 * std::acos(-1.0) * std::sqrt(3.0) / 300;
  const auto key = [&](double x, double y) {
    return std::pair(std::lround((x - bounds.min.x) / texel), std::lround((y - bounds.min.y) / texel));
  };
  double sum = 0;
  for (std::size_t n = 0; n < file.pointCount(); ++n) {
    const Vec3 p = pointOf(file, n);
    QVERIFY(std::abs(p.z - 0.4) < 1e-12 && light[n] >= 0 && light[n] <= 1);
    at[key(p.x, p.y)] = light[n];
    sum += light[n];
  }
  QVERIFY(std::abs(sum / static_cast<double>(light.size()) - 0.5) < 0.03);
  Correlation along, across;
  for (std::size_t n = 0; n < file.pointCount(); n += 3) {
    const Vec3 p = pointOf(file, n);
    const Vec3 flow{std::sin(p.x) * std::cos(p.y), -std::cos(p.x) * std::sin(p.y), 0};
    if (length(flow) < 0.5) continue;
    const Vec3 way = (6 * texel / length(flow)) * flow;
    const auto there = at.find(key(p.x + way.x, p.y + way.y));
    const auto beside = at.find(key(p.x - way.y, p.y + way.x));
    if (there == at.end() || beside == at.end()) continue;
    along.add(light[n], there->second);
    across.add(light[n], beside->second);
  }
  QVERIFY(along.count() > 3000);
  QVERIFY2(along.value() > 0.5 && std::abs(across.value()) < 0.1,
           (std::to_string(along.value()) + ", " + std::to_string(across.value())).c_str());
}

void TestLic::isOnceWhereBlocksOverlap() {
  const RunResult result = run(
      kCylinder, lic(R"({"type":"slice"})", R"("resolution":500)") + R"(,{"name":"whole","type":"slice"})");
  QVERIFY2(result.status == 0, result.errors.c_str());
  // a slice has the cells of all blocks; a texture what is found there, once
  const double once = areaOf(made()), twice = areaOf(made("whole.vtp"));
  QVERIFY2(once < 0.97 * twice, (std::to_string(once) + " of " + std::to_string(twice)).c_str());
  // from the cylinder of radius 1 to a circle of radius 10
  const double exact = 99 * std::acos(-1.0);
  QVERIFY2(std::abs(once / exact - 1) < 0.02,
           (std::to_string(once) + " of " + std::to_string(exact)).c_str());
}

void TestLic::coversCurvedWalls() {
  const std::string wall = R"({"type":"grid-surface","range":{"j":4}})";
  const RunResult result = run(kCylinder, lic(wall, R"("resolution":800)") +
                                              R"(,{"name":"whole","type":"grid-surface","range":{"j":4}})");
  QVERIFY2(result.status == 0, result.errors.c_str());
  const double exact = areaOf(made("whole.vtp"));
  QVERIFY2(std::abs(areaOf(made()) / exact - 1) < 1e-3, std::to_string(areaOf(made()) / exact).c_str());
  QVERIFY(made().pointCount() > 4 * made("whole.vtp").pointCount());
}

/// On a sphere of triangles around which the flow goes: alike six texels along circles, and not across them.
void TestLic::followsTheFlowFromFaceToFace() {
  writeSphere(m_folder / "sphere.vtk", 3);
  constexpr double kResolution = 250;
  const RunResult result = run(
      R"("source":"sphere.vtk")",
      lic(R"({"type":"grid-surface"})", R"("vector":"shear","resolution":)" + std::to_string(kResolution)));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const std::vector<double>& light = file.array("PointData", "lic").values;
  const double texel = 2 * std::sqrt(3.0) / kResolution;
  const auto cubeOf = [&](Vec3 p) {
    return std::array{std::lround(p.x / texel), std::lround(p.y / texel), std::lround(p.z / texel)};
  };
  std::map<std::array<long, 3>, std::vector<std::size_t>> near;
  double sum = 0;
  for (std::size_t n = 0; n < file.pointCount(); ++n) {
    near[cubeOf(pointOf(file, n))].push_back(n);
    sum += light[n];
  }
  QVERIFY(std::abs(sum / static_cast<double>(light.size()) - 0.5) < 0.03);
  // that of the nearest vertex, if one is near
  const auto lightAt = [&](Vec3 p) -> std::optional<double> {
    std::optional<double> found;
    double nearest = 0.5 * texel;
    const auto [i, j, k] = cubeOf(p);
    for (long a = i - 1; a <= i + 1; ++a)
      for (long b = j - 1; b <= j + 1; ++b)
        for (long c = k - 1; c <= k + 1; ++c)
          if (const auto its = near.find({a, b, c}); its != near.end())
            for (const std::size_t n : its->second)
              if (const double off = length(pointOf(file, n) - p); off < nearest)
                nearest = off, found = light[n];
    return found;
  };
  Correlation along, across;
  for (std::size_t n = 0; n < file.pointCount(); n += 7) {
    const Vec3 p = pointOf(file, n);
    const double radius = std::hypot(p.x, p.y);
    if (radius < 0.5) continue;
    const double angle = 6 * texel / radius;
    const auto there = lightAt(
        {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle), p.z});
    const Vec3 up = 6 * texel / length(p) * cross(p, Vec3{p.y / radius, -p.x / radius, 0});
    const auto beside = lightAt(length(p) / length(p + up) * (p + up));
    if (!there || !beside) continue;
    along.add(light[n], *there);
    across.add(light[n], *beside);
  }
  QVERIFY2(along.count() > 2000, std::to_string(along.count()).c_str());
  QVERIFY2(along.value() > 0.5 && std::abs(across.value()) < 0.1,
           (std::to_string(along.value()) + ", " + std::to_string(across.value())).c_str());
}

void TestLic::coversFaces_data() {
  QTest::addColumn<std::string>("file");
  QTest::addColumn<int>("resolution");
  for (const char* const file : {"sphere", "plate", "cube"})
    for (const int resolution : {20, 100, 500})
      QTest::addRow("%s, %d texels", file, resolution) << std::string(file) << resolution;
}

/// Of triangles and quadrilaterals, much smaller than texels and much larger.
void TestLic::coversFaces() {
  QFETCH(std::string, file);
  QFETCH(int, resolution);
  writeSphere(m_folder / "sphere.vtk", 3);
  writeCube(m_folder / "cube.vtk");
  writePlate(
      m_folder / "plate.vtk", 4,
      [](double i, double j) {
        return Vec3{i, j + 0.1 * i, 0.3 * i * j};
      },
      [](Vec3 p) {
        return Vec3{1 + p.y, 1, p.x};
      });
  const RunResult result =
      run(R"("source":")" + file + R"(.vtk")",
          lic(R"({"type":"grid-surface"})",
              R"("vector":"shear","color":{"by":"shear-x"},"resolution":)" + std::to_string(resolution)) +
              R"(,{"name":"whole","type":"grid-surface"})");
  QVERIFY2(result.status == 0, result.errors.c_str());
  // quadrilaterals that are not plane are flat triangles otherwise
  const double tolerance = file == "plate" ? 0.01 : 1e-9;
  const double part = areaOf(made()) / areaOf(made("whole.vtp"));
  QVERIFY2(std::abs(part - 1) < tolerance, std::to_string(part).c_str());
  // to the same side as the surface itself
  const VtpFile texture = made();
  if (file != "sphere") return;
  for (std::size_t n = 0; n < texture.pointCount(); n += 11) {
    const std::vector<double>& normals = texture.array("PointData", "Normals").values;
    QVERIFY(dot(pointOf(texture, n), Vec3{normals[3 * n], normals[3 * n + 1], normals[3 * n + 2]}) > 0.9);
  }
}

void TestLic::onFacesItIsTheSameHoweverItIsComputed() {
  writeSphere(m_folder / "sphere.vtk", 2);
  writeCube(m_folder / "cube.vtk");
  for (const char* const name : {"sphere", "cube"}) {
    writeFile(m_folder / "same.json",
              sessionText(R"("source":")" + std::string(name) + R"(.vtk")",
                          lic(R"({"type":"grid-surface"})", R"("vector":"shear","resolution":150)")));
    const RunResult result =
        runProgram({"verify", "same.json", "--memory", "64M", "--processors", "2"}, here());
    QVERIFY2(result.status == 0, (result.out + result.errors).c_str());
  }
}

void TestLic::liesBetweenNodes() {
  const RunResult result =
      run(kCylinder, lic(R"({"type":"slice","index":{"k":3.5}})", R"("resolution":200)") +
                         R"(,{"name":"whole","type":"slice","index":{"k":3.5}})");
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY(std::abs(areaOf(made()) / areaOf(made("whole.vtp")) - 1) < 1e-3);
}

/// Those of the plain slice at the same places.
void TestLic::carriesColours() {
  const std::string on = R"({"type":"slice","normal":[0.2,0.3,1]})",
                    color = R"("color":{"by":"velocity-magnitude"})";
  QCOMPARE(run(kVortices, lic(on, R"("resolution":150,)" + color) +
                              R"(,{"name":"whole","type":"slice","normal":[0.2,0.3,1],)" + color + "}")
               .status,
           0);
  const VtpFile file = made(), whole = made("whole.vtp");
  const std::vector<double>& speeds = file.array("PointData", "velocity-magnitude").values;
  const std::vector<double>& exact = whole.array("PointData", "velocity-magnitude").values;
  int compared = 0;
  for (std::size_t n = 0; n < whole.pointCount(); n += 5)
    for (std::size_t m = 0; m < file.pointCount(); ++m) {
      if (!(length(pointOf(whole, n) - pointOf(file, m)) < 0.01)) continue;
      QVERIFY2(std::abs(speeds[m] - exact[n]) < 0.03, std::to_string(speeds[m] - exact[n]).c_str());
      ++compared;
    }
  QVERIFY(compared > 10);
}

void TestLic::isDrawn() {
  const std::string cut = R"({"name":"cut","type":"slice","color":"#8090a0"})";
  const auto bytes = [&](const std::string& objects) -> std::uintmax_t {
    const RunResult result = run(kVortices, objects, {"--set", "output.images=true"});
    if (result.errors.find("this build") != std::string::npos) return 0;
    return result.status == 0 ? std::filesystem::file_size(m_folder / "out" / "lic.png") : 1;
  };
  const std::uintmax_t plain = bytes(cut);
  if (plain == 0) QSKIP("this build draws no pictures");
  // also where the surface is drawn as well
  QVERIFY(plain > 1 && bytes(cut + "," + lic(R"("cut")")) > 10 * plain);
}

/// On walls without slip velocity is 0.
void TestLic::noiseIsSaidToBeNoise() {
  const std::string still = R"("vector":["0*velocity-x","0*velocity-y","0*velocity-z"],"resolution":60)";
  const auto saidOf = [&](const std::string& keys) {
    writeFile(m_folder / "lic.json",
              sessionText(kCylinder, lic(R"({"type":"grid-surface","range":{"j":0}})", keys)));
    const RunResult result =
        runProgram({"batchvis", "lic.json", "-o", "noise", "--overwrite", "--stats", "noise.json"}, here());
    return result.status == 0 ? result.errors + fileContents(m_folder / "noise.json")
                              : "failed: " + result.errors;
  };
  const std::string noise = saidOf(still), flow = saidOf(R"("resolution":60)");
  QVERIFY2(noise.find("object flow is noise: its vector is 0 everywhere") != std::string::npos,
           noise.c_str());
  QVERIFY2(noise.find("wall-shear-stress") != std::string::npos &&
               noise.find("\"vectorIsZero\": true") != std::string::npos,
           noise.c_str());
  QVERIFY2(flow.find("failed") == std::string::npos && flow.find("noise:") == std::string::npos &&
               flow.find("vectorIsZero") == std::string::npos,
           flow.c_str());
  const std::string none = "\"sqrt(0-density)\"", missing = saidOf(R"("vector":[)" + none + ',' + none + ',' +
                                                                   none + R"(],"resolution":60)");
  QVERIFY2(missing.find("object flow is noise: its vector has no values") != std::string::npos,
           missing.c_str());
}

void TestLic::isTheSameHoweverItIsComputed() {
  writeFile(
      m_folder / "same.json",
      sessionText(
          R"("source":"sample://cylinder?size=17,13,9&blocks=2")",
          lic(R"({"type":"slice","normal":[0.1,0.2,1]})", R"("resolution":150,"color":{"by":"pressure"})") +
              R"(,{"name":"wall","type":"lic","on":{"type":"grid-surface","range":{"j":3}},"resolution":150})"));
  const RunResult result =
      runProgram({"verify", "same.json", "--memory", "64M", "--processors", "2"}, here());
  QVERIFY2(result.status == 0, (result.out + result.errors).c_str());
}

/// Of a sheet of 5 x 4 nodes; all of it is there, with the same bytes on any number of processors.
void TestLic::tinySheetsAreSeveralTasks() {
  const std::string data = R"("source":"sample://abc?size=5,4,3")",
                    objects = lic(R"({"type":"slice","index":{"k":1}})", R"("resolution":600)") +
                              R"(,{"name":"whole","type":"slice","index":{"k":1}})";
  std::vector<std::string> bytes;
  for (const char* const processors : {"1", "2", "3"}) {
    const RunResult result = run(data, objects, {"--processors", processors, "--memory", "32M"});
    QVERIFY2(result.status == 0, result.errors.c_str());
    bytes.push_back(fileContents(m_folder / "out" / "flow.vtp"));
  }
  QVERIFY(bytes[0].size() > 1'000'000 && bytes[0] == bytes[1] && bytes[0] == bytes[2]);
  QVERIFY(std::abs(areaOf(made()) / areaOf(made("whole.vtp")) - 1) < 1e-9);
  const RunResult preview =
      runProgram({"batchvis", "lic.json", "-o", "preview", "--dry-run", "--json"}, here());
  const QJsonObject said = QJsonDocument::fromJson(QByteArray::fromStdString(preview.out)).object();
  QVERIFY2(said["objects"].toArray()[0].toObject()["tasks"].toInt() > 10, preview.out.c_str());
}

void TestLic::texturesLargerThanTheBudget() {
  const std::string fine = lic(R"({"type":"slice","origin":[3.1,3.1,0.4]})", R"("resolution":1500)");
  const RunResult tight = run(kVortices, fine, {"--memory", "8M", "--stats", "stats.json"});
  QVERIFY2(tight.status == 0, tight.errors.c_str());
  const QJsonObject paging =
      QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(m_folder / "stats.json")))
          .object()["paging"]
          .toObject();
  QVERIFY(paging["peakBytes"].toDouble() <= paging["budgetBytes"].toDouble());
  QVERIFY(std::filesystem::file_size(m_folder / "out" / "flow.vtp") > std::uint64_t{80} << 20);
#ifndef FARFIELD_SANITIZED  // sanitizers take memory of their own
  QVERIFY2(tight.peakRssBytes < std::uint64_t{62} << 20,
           qPrintable(QString::number(tight.peakRssBytes >> 20)));
#endif
}

void TestLic::whatCannotBeIsRefused_data() {
  QTest::addColumn<std::string>("objects");
  QTest::addColumn<std::string>("part");
  const auto row = [](const char* name, const std::string& object, const char* part) {
    QTest::newRow(name) << object << std::string(part);
  };
  const std::string slice = R"({"type":"slice"})";
  row("no surface", R"({"name":"flow","type":"lic"})", "objects.flow.on: missing");
  row("an isosurface", lic(R"({"type":"isosurface","by":"pressure","value":18})"),
      "objects.flow.on: is an isosurface, which has no texture");
  row("one by name", R"({"name":"iso","type":"isosurface","by":"pressure","value":18},)" + lic(R"("iso")"),
      "object flow: on: isosurfaces have no texture");
  row("a scalar", lic(slice, R"("vector":"pressure")"), "object flow: vector: ");
  row("too coarse", lic(slice, R"("resolution":3)"), "objects.flow.resolution: must be");
  row("no reach", lic(slice, R"("reach":0)"), "objects.flow.reach: must be");
}

void TestLic::whatCannotBeIsRefused() {
  QFETCH(std::string, objects);
  QFETCH(std::string, part);
  const RunResult result = run(kVortices, objects);
  QVERIFY2(
      result.status == 1 && result.errorLines().size() == 1 && result.errors.find(part) != std::string::npos,
      (std::to_string(result.status) + ": " + result.errors).c_str());
  QVERIFY(namesIn(m_folder / "out").empty());
}

QTEST_GUILESS_MAIN(TestLic)
#include "tst_lic.moc"
