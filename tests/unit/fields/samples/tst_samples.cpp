// Sample data are exact: free of divergence, tangent to walls, the same in overlapping blocks, and the same
// whatever boxes they are read in.

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "core/base/error.h"
#include "core/fields/samples/cylinder_sample.h"
#include "core/fields/samples/formulas.h"
#include "core/fields/samples/sample.h"
#include "core/fields/samples/sample_url.h"

using namespace farfield;
using namespace farfield::samples;

class TestSamples : public QObject {
  Q_OBJECT
 private slots:
  void flowsAreFreeOfDivergence_data();
  void flowsAreFreeOfDivergence();
  void tornadoKeepsItsInvariants();
  void abcIsBeltrami();
  void steadyFlowsObeyBernoulli();
  void streamFunctionsMatchTheVelocity();
  void flowIsTangentToTheCylinder();
  void turbulenceIsOneFlowAtOneTime();
  void marschnerLobbHasItsRange();
  void overlappingNodesAreOnePoint();
  void iblankIsAsDescribed();
  void everyPointOfTheRingIsInAValidCell();
  void boxReadsAgreeWithTheWhole_data();
  void boxReadsAgreeWithTheWhole();
  void nodesHoldTheFormula();
  void blocksOfABoxShareALayer();
  void conservedVariablesGiveBackTheFlow();
  void stepsChangeTheFlow();
  void boundsHoldAllNodes_data();
  void boundsHoldAllNodes();
  void hugeSamplesCostNothing();
  void wholeNumberTypes();
  void nonsenseIsRefused();
  void urlsParse();
  void wrongReadsAreRefused();
};

namespace {

std::vector<double> readAll(const paging::BoxReader& reader, std::uint32_t array, std::int64_t step,
                            const IndexBox& box) {
  const paging::ArrayDescription& described = reader.description().arrays[array];
  std::vector<std::byte> bytes(static_cast<std::size_t>(product(box.size) * described.nodeBytes()));
  reader.read(array, step, box, bytes);
  std::vector<double> values(static_cast<std::size_t>(product(box.size) * described.components));
  toDouble(bytes.data(), described.type, 0, static_cast<std::int64_t>(values.size()), values.data());
  return values;
}
std::vector<double> readBlock(const paging::BoxReader& reader, int block, const std::string& name,
                              std::int64_t step = 0) {
  const auto array = static_cast<std::uint32_t>(reader.description().find(block, name));
  return readAll(reader, array, step, {{0, 0, 0}, reader.description().arrays[array].layout.dims()});
}
Vec3 vectorAt(const std::vector<double>& values, std::int64_t n, int components = 3, int first = 0) {
  const auto at = static_cast<std::size_t>(n * components + first);
  return {values[at], values[at + 1], values[at + 2]};
}

using Flow = std::function<Vec3(Vec3)>;
Vec3 derivative(const Flow& flow, Vec3 p, int axis, double h) {
  Vec3 a = p, b = p;
  a[axis] += h;
  b[axis] -= h;
  return (0.5 / h) * (flow(a) - flow(b));
}
double divergence(const Flow& flow, Vec3 p, double h) {
  double sum = 0;
  for (int a = 0; a < 3; ++a) sum += derivative(flow, p, a, h)[a];
  return sum;
}
/// Some points of a box, the same in every run.
std::vector<Vec3> pointsIn(Vec3 min, Vec3 max) {
  std::vector<Vec3> points;
  for (int n = 1; n <= 40; ++n) {
    Vec3 p;
    const double golden[3] = {0.8191725134, 0.6710436067, 0.5497004779};
    for (int a = 0; a < 3; ++a) {
      const double part = std::fmod(n * golden[a], 1.0);
      p[a] = min[a] + part * (max[a] - min[a]);
    }
    points.push_back(p);
  }
  return points;
}
const std::vector<Vec3> kSomePoints = pointsIn({1.1, -0.9, 0.1}, {3, 2, 1.9});

}  // namespace

void TestSamples::flowsAreFreeOfDivergence_data() {
  QTest::addColumn<QString>("name");
  for (const Sample& sample : samples::samples()) {
    if (sample.hasVelocity) QTest::newRow(sample.name.c_str()) << QString::fromStdString(sample.name);
  }
}

void TestSamples::flowsAreFreeOfDivergence() {
  QFETCH(QString, name);
  for (const double t : {0.0, 1.3}) {
    const Flow flow = [&](Vec3 p) { return exactVelocity(name.toStdString(), p, t); };
    double coarse = 0, fine = 0;
    for (const Vec3& p : kSomePoints) {
      coarse = std::max(coarse, std::abs(divergence(flow, p, 2e-3)));
      fine = std::max(fine, std::abs(divergence(flow, p, 5e-4)));
    }
    // The differences are of second order, so what they are wrong by falls by 16; what is left is rounding.
    QVERIFY2(fine < coarse / 12 + 1e-11, qPrintable(QString("%1 %2").arg(coarse).arg(fine)));
    QVERIFY(fine < 1e-3);
  }
}

void TestSamples::tornadoKeepsItsInvariants() {
  // d/dt of radius and height along pathlines, and along streamlines at t = 0.
  for (const double t : {0.0, 0.7}) {
    for (const Vec3& p : pointsIn({-1, -1, 0.1}, {1, 1, 2})) {
      const Vec3 v = Tornado::velocity(p, t);
      const double h = 1e-5;
      const double rate = (Tornado::radius(p + h * v, t + h) - Tornado::radius(p - h * v, t - h)) / (2 * h);
      QVERIFY(std::abs(rate + Tornado::kInflow * Tornado::radius(p, t)) < 1e-7);
      QVERIFY(std::abs(v.z - 2 * Tornado::kInflow * p.z) < 1e-15);
    }
  }
}

void TestSamples::abcIsBeltrami() {
  for (const Vec3& p : kSomePoints) {
    const Flow flow = [](Vec3 x) { return Abc::velocity(x, 0.4); };
    Vec3 d[3];
    for (int a = 0; a < 3; ++a) d[a] = derivative(flow, p, a, 1e-4);
    const Vec3 curl{d[1].z - d[2].y, d[2].x - d[0].z, d[0].y - d[1].x};
    QVERIFY(length(curl - flow(p)) < 1e-7);
  }
}

void TestSamples::steadyFlowsObeyBernoulli() {
  // Along a line p + V²/2 does not change: V · grad(p + V²/2) = 0.
  for (const char* name : {"abc", "cylinder", "taylor-green"}) {
    for (const Vec3& p : kSomePoints) {
      const Vec3 v = exactVelocity(name, p, 0);
      const auto head = [&](Vec3 x) {
        const Vec3 u = exactVelocity(name, x, 0);
        return exactScalar(name, "pressure", x, 0) + 0.5 * dot(u, u);
      };
      const double h = 1e-5;
      QVERIFY2(std::abs(head(p + h * v) - head(p - h * v)) / (2 * h) < 1e-7, name);
    }
  }
}

void TestSamples::streamFunctionsMatchTheVelocity() {
  const double h = 1e-5;
  for (const double t : {0.0, 1.7}) {
    for (const Vec3& p : kSomePoints) {
      const auto check = [&](auto stream, Vec3 v) {
        const double dx = (stream(p + Vec3{h, 0, 0}, t) - stream(p - Vec3{h, 0, 0}, t)) / (2 * h);
        const double dy = (stream(p + Vec3{0, h, 0}, t) - stream(p - Vec3{0, h, 0}, t)) / (2 * h);
        return std::abs(dy - v.x) < 1e-8 && std::abs(-dx - v.y) < 1e-8 && v.z == 0;
      };
      QVERIFY(check(Cylinder::stream, Cylinder::velocity(p, t)));
      QVERIFY(check(TaylorGreen::stream, TaylorGreen::velocity(p, t)));
    }
  }
}

void TestSamples::flowIsTangentToTheCylinder() {
  for (const double t : {0.0, 2.5}) {
    for (int n = 0; n < 100; ++n) {
      const double angle = 0.0628 * n;
      const Vec3 wall{std::cos(angle), std::sin(angle), 0};
      QVERIFY(std::abs(dot(Cylinder::velocity(wall, t), wall)) < 1e-14);
      QVERIFY(std::abs(Cylinder::stream(wall, t)) < 1e-14);
    }
  }
  QCOMPARE(Cylinder::circulation(0), 0.0);
  QVERIFY(std::abs(Cylinder::circulation(2.5) - Cylinder::kCirculation) < 1e-12);
}

void TestSamples::turbulenceIsOneFlowAtOneTime() {
  // Periodic, of order one, and neither still nor the same everywhere.
  const Turbulence flow(0.3);
  double largest = 0;
  for (const Vec3& p : kSomePoints) {
    largest = std::max(largest, length(flow(p)));
    QVERIFY(length(flow(p) - flow(p + Vec3{2 * std::numbers::pi, -2 * std::numbers::pi, 0})) < 1e-12);
  }
  QVERIFY(largest > 0.5 && largest < 6);
}

void TestSamples::marschnerLobbHasItsRange() {
  QVERIFY(std::abs(marschnerLobb({0, 0, -1}) - 1) < 1e-15);
  double least = 2, most = -1;
  for (const Vec3& p : pointsIn({-1, -1, -1}, {1, 1, 1})) {
    least = std::min(least, marschnerLobb(p));
    most = std::max(most, marschnerLobb(p));
  }
  QVERIFY(least >= 0 && most <= 1 && most - least > 0.5);
}

void TestSamples::overlappingNodesAreOnePoint() {
  for (const ScalarType type : {ScalarType::F32, ScalarType::F64}) {
    const auto reader = makeSample("cylinder", {.size = {9, 7, 3}, .blocks = 5, .type = type});
    for (int block = 0; block < 5; ++block) {
      const int next = (block + 1) % 5;
      for (const char* name : {"xyz", "q"}) {
        const int here = reader->description().find(block, name),
                  there = reader->description().find(next, name);
        const auto last = readAll(*reader, static_cast<std::uint32_t>(here), 0, {{6, 0, 0}, {3, 7, 3}});
        const auto first = readAll(*reader, static_cast<std::uint32_t>(there), 0, {{0, 0, 0}, {3, 7, 3}});
        QVERIFY(last == first);
      }
    }
  }
}

void TestSamples::iblankIsAsDescribed() {
  const Index3 dims{9, 7, 3};
  const auto reader = makeSample("cylinder", {.size = dims, .blocks = 3});
  const auto iblank = readBlock(*reader, 1, "iblank");
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return static_cast<int>(iblank[static_cast<std::size_t>(linear({i, j, 1}, dims))]);
  };
  QCOMPARE(at(0, 0), -1);
  QCOMPARE(at(0, 6), -1);
  QCOMPARE(at(4, 0), 2);
  QCOMPARE(at(4, 1), 1);
  QCOMPARE(at(8, 0), -3);
  QCOMPARE(at(8, 2), -3);
  QCOMPARE(at(7, 2), 1);
  QCOMPARE(at(8, 3), 0);
  QCOMPARE(at(8, 6), 0);
  QCOMPARE(at(7, 3), -3);
  QVERIFY(reader->description().blocks[1].hasIblank);
  // The first block's neighbours are the last and the second.
  QCOMPARE(static_cast<int>(readBlock(*reader, 0, "iblank")[0]), -3);
}

void TestSamples::everyPointOfTheRingIsInAValidCell() {
  // Each cell around is valid in at least one block.
  const CylinderGrid grid{{9, 8, 2}, 4};
  const std::int64_t around = grid.cellsAround();
  QCOMPARE(around, std::int64_t{24});
  std::vector<int> covered(static_cast<std::size_t>(around * 7));
  for (int block = 0; block < 4; ++block) {
    for (std::int64_t i = 0; i < 8; ++i) {
      for (std::int64_t j = 0; j < 7; ++j) {
        bool valid = true;
        for (int n = 0; n < 4; ++n) valid = valid && grid.iblankAt(block, {i + n % 2, j + n / 2, 0}) != 0;
        if (valid) ++covered[static_cast<std::size_t>((block * 6 + i) % around + around * j)];
      }
    }
  }
  QVERIFY(std::find(covered.begin(), covered.end(), 0) == covered.end());
  QVERIFY(std::count(covered.begin(), covered.end(), 2) > 20);
}

void TestSamples::boxReadsAgreeWithTheWhole_data() {
  QTest::addColumn<QString>("url");
  for (const char* url :
       {"sample://tornado?size=9,7,5&steps=2", "sample://tornado?size=9,7,5&blocks=2&curvilinear=true",
        "sample://abc?size=9,7,5&type=f64", "sample://taylor-green?size=9,7,5",
        "sample://turbulence?size=9,7,5&curvilinear=true",
        "sample://cylinder?size=9,7,5&blocks=3&steps=2&type=f64",
        "sample://marschner-lobb?size=9,7,5&type=u16"})
    QTest::newRow(url) << url;
}

void TestSamples::boxReadsAgreeWithTheWhole() {
  QFETCH(QString, url);
  const SampleUrl parsed = parseSampleUrl(url.toStdString());
  const auto reader = makeSample(parsed.name, parsed.options);
  const IndexBox part{{3, 2, 1}, {5, 4, 3}};
  for (std::uint32_t array = 0; array < reader->description().arrays.size(); ++array) {
    const paging::ArrayDescription& described = reader->description().arrays[array];
    const std::int64_t step = described.steps - 1;
    const auto whole = readAll(*reader, array, step, {{0, 0, 0}, described.layout.dims()});
    const auto some = readAll(*reader, array, step, part);
    for (std::int64_t n = 0; n < product(part.size); ++n) {
      const Index3 in = unlinear(n, part.size);
      const Index3 node{in[0] + 3, in[1] + 2, in[2] + 1};
      for (int c = 0; c < described.components; ++c) {
        QCOMPARE(some[static_cast<std::size_t>(n * described.components + c)],
                 whole[static_cast<std::size_t>(linear(node, described.layout.dims()) * described.components +
                                                c)]);
      }
    }
  }
}

void TestSamples::nodesHoldTheFormula() {
  for (const char* name : {"tornado", "abc", "taylor-green", "turbulence"}) {
    const auto reader = makeSample(name, {.size = {6, 5, 4}, .steps = 3, .type = ScalarType::F64});
    const paging::BlockDescription& grid = reader->description().blocks[0];
    QVERIFY(grid.kind == paging::GridKind::Regular);
    const auto velocity = readBlock(*reader, 0, "velocity", 2);
    for (std::int64_t n = 0; n < product(grid.dims); ++n) {
      const Index3 node = unlinear(n, grid.dims);
      Vec3 point;
      for (int a = 0; a < 3; ++a)
        point[a] = grid.origin[a] + grid.spacing[a] * static_cast<double>(node[static_cast<std::size_t>(a)]);
      QVERIFY(length(vectorAt(velocity, n) - exactVelocity(name, point, reader->description().times[2])) <
              1e-12);
    }
  }
}

void TestSamples::blocksOfABoxShareALayer() {
  const Index3 dims{5, 6, 7};
  const auto reader =
      makeSample("abc", {.size = dims, .blocks = 3, .type = ScalarType::F64, .curvilinear = true});
  for (int block = 0; block < 2; ++block) {
    for (const char* name : {"xyz", "q"}) {
      const auto here = static_cast<std::uint32_t>(reader->description().find(block, name));
      const auto there = static_cast<std::uint32_t>(reader->description().find(block + 1, name));
      QVERIFY(readAll(*reader, here, 0, {{4, 0, 0}, {1, 6, 7}}) ==
              readAll(*reader, there, 0, {{0, 0, 0}, {1, 6, 7}}));
    }
  }
  // The first and last layers are the faces of the box, and no cell is folded.
  const auto first = readBlock(*reader, 0, "xyz"), last = readBlock(*reader, 2, "xyz");
  for (std::int64_t n = 0; n < product(dims); ++n) {
    const Index3 node = unlinear(n, dims);
    if (node[0] == 0) QCOMPARE(vectorAt(first, n).x, 0.0);
    if (node[0] == 4) QCOMPARE(vectorAt(last, n).x, 2 * std::numbers::pi);
    if (node[1] == 5) QCOMPARE(vectorAt(last, n).y, 2 * std::numbers::pi);
    if (node[0] == 4 || node[1] == 5 || node[2] == 6) continue;
    const Vec3 i = vectorAt(last, n + 1) - vectorAt(last, n), j = vectorAt(last, n + 5) - vectorAt(last, n);
    const Vec3 k = vectorAt(last, n + 30) - vectorAt(last, n);
    QVERIFY(dot(cross(i, j), k) > 0);
  }
}

void TestSamples::conservedVariablesGiveBackTheFlow() {
  for (const char* name : {"tornado", "cylinder", "abc"}) {
    const auto reader =
        makeSample(name, {.size = {12, 7, 5}, .steps = 2, .type = ScalarType::F64, .curvilinear = true});
    const auto xyz = readBlock(*reader, 0, "xyz"), q = readBlock(*reader, 0, "q", 1);
    const double time = reader->description().times[1];
    for (std::int64_t n = 0; n < 12 * 7 * 5; ++n) {
      const Vec3 point = vectorAt(xyz, n), momentum = vectorAt(q, n, 5, 1);
      const double density = q[static_cast<std::size_t>(5 * n)],
                   energy = q[static_cast<std::size_t>(5 * n + 4)];
      QCOMPARE(density, 1.0);
      QVERIFY(momentum == exactVelocity(name, point, time));
      const double pressure = 0.4 * (energy - 0.5 * dot(momentum, momentum));
      QVERIFY(std::abs(pressure - exactScalar(name, "pressure", point, time)) < 1e-12);
      QVERIFY(pressure > 0);
    }
    QCOMPARE(reader->description().attributes.at("gamma"), std::string("1.4"));
    QCOMPARE(reader->description().attributes.at("mach.1"), std::string("0.2"));
  }
}

void TestSamples::stepsChangeTheFlow() {
  for (const char* name : {"tornado", "abc", "taylor-green", "turbulence"}) {
    const auto reader = makeSample(name, {.size = {5, 5, 5}, .steps = 3});
    QCOMPARE(reader->description().steps(), std::int64_t{3});
    QVERIFY(readBlock(*reader, 0, "velocity", 0) != readBlock(*reader, 0, "velocity", 2));
  }
  const auto still = makeSample("marschner-lobb", {.size = {5, 5, 5}, .steps = 3});
  QCOMPARE(still->description().arrays[0].steps, std::int64_t{1});
  QCOMPARE(still->description().steps(), std::int64_t{3});
}

void TestSamples::boundsHoldAllNodes_data() {
  QTest::addColumn<QString>("url");
  for (const char* url : {"sample://abc?size=5,6,7&blocks=3&type=f64",
                          "sample://abc?size=5,6,7&blocks=3&curvilinear=true&type=f64",
                          "sample://tornado?size=6,5,4&blocks=2&curvilinear=true&type=f64",
                          "sample://cylinder?size=9,5,3&blocks=3&type=f64"})
    QTest::newRow(url) << url;
}

void TestSamples::boundsHoldAllNodes() {
  QFETCH(QString, url);
  const SampleUrl parsed = parseSampleUrl(url.toStdString());
  const auto reader = makeSample(parsed.name, parsed.options);
  for (std::size_t block = 0; block < reader->description().blocks.size(); ++block) {
    const paging::BlockDescription& grid = reader->description().blocks[block];
    Bounds found;
    if (grid.kind == paging::GridKind::Regular) {
      found.add(grid.origin);
      Vec3 last;
      for (int a = 0; a < 3; ++a)
        last[a] = grid.origin[a] +
                  grid.spacing[a] * static_cast<double>(grid.dims[static_cast<std::size_t>(a)] - 1);
      found.add(last);
      QVERIFY(length(found.max - grid.bounds.max) < 1e-14);
    } else {
      const auto xyz = readBlock(*reader, static_cast<int>(block), "xyz");
      for (std::int64_t n = 0; n < product(grid.dims); ++n) found.add(vectorAt(xyz, n));
      QVERIFY(found.max == grid.bounds.max);
    }
    QVERIFY(found.min == grid.bounds.min);
  }
}

void TestSamples::hugeSamplesCostNothing() {
  const auto reader = makeSample("turbulence", {.size = {100000, 100000, 100000}, .steps = 10});
  const auto values = readAll(*reader, 0, 9, {{99990, 50000, 3}, {10, 2, 2}});
  QCOMPARE(values.size(), std::size_t{120});
  QVERIFY(std::abs(values[0]) > 0 && std::abs(values[0]) < 10);
}

void TestSamples::wholeNumberTypes() {
  const auto exact = makeSample("marschner-lobb", {.size = {9, 9, 9}, .type = ScalarType::F64});
  const auto bytes = makeSample("marschner-lobb", {.size = {9, 9, 9}, .type = ScalarType::U8});
  const auto a = readBlock(*exact, 0, "density"), b = readBlock(*bytes, 0, "density");
  for (std::size_t n = 0; n < a.size(); ++n) QVERIFY(std::abs(255 * a[n] - b[n]) <= 0.5);
}

void TestSamples::nonsenseIsRefused() {
  QVERIFY_EXCEPTION_THROWN(makeSample("tornato", {}), NotFound);
  QVERIFY_EXCEPTION_THROWN(makeSample("abc", {.size = {1, 5, 5}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(makeSample("abc", {.size = {-3, 5, 5}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(makeSample("abc", {.size = {1 << 24, 1 << 24, 1 << 24}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(makeSample("abc", {.blocks = -1}), Invalid);
  QVERIFY_EXCEPTION_THROWN(makeSample("abc", {.steps = 0}), Invalid);
  QVERIFY_EXCEPTION_THROWN(makeSample("abc", {.type = ScalarType::U8}), Invalid);
  QVERIFY_EXCEPTION_THROWN(makeSample("marschner-lobb", {.curvilinear = true}), Invalid);
  QVERIFY_EXCEPTION_THROWN(makeSample("cylinder", {.size = {5, 9, 9}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(exactVelocity("marschner-lobb", {}, 0), Invalid);
  QVERIFY_EXCEPTION_THROWN(exactScalar("turbulence", "pressure", {}, 0), NotFound);
}

void TestSamples::urlsParse() {
  QVERIFY(isSampleUrl("sample://abc") && !isSampleUrl("abc") && !isSampleUrl("/sample://abc"));
  const SampleUrl url = parseSampleUrl("sample://cylinder?size=33,49,17&blocks=8&steps=20&type=f64&edge=16");
  QCOMPARE(url.name, std::string("cylinder"));
  QVERIFY((url.options.size == Index3{33, 49, 17}));
  QCOMPARE(url.options.blocks, 8);
  QCOMPARE(url.options.steps, 20);
  QVERIFY(url.options.type == ScalarType::F64);
  QCOMPARE(url.options.pageEdge, 16);
  QVERIFY((parseSampleUrl("sample://abc?size=64").options.size == Index3{64, 64, 64}));
  QVERIFY(parseSampleUrl("sample://abc?curvilinear=true").options.curvilinear);
  for (const char* bad :
       {"sample://abc?size=", "sample://abc?size=3,4", "sample://abc?size=3,4,5,6", "sample://abc?blocks=-2",
        "sample://abc?blocks=99999999999999999999", "sample://abc?colour=red", "sample://abc?type=f16",
        "sample://abc?curvilinear=yes", "file.bin"}) {
    QVERIFY_EXCEPTION_THROWN(parseSampleUrl(bad), Error);
  }
  try {
    parseSampleUrl("sample://abc?steps=x");
    QFAIL("no error");
  } catch (const Invalid& error) {
    QCOMPARE(error.place(), std::string("sample://abc: steps"));
  }
}

void TestSamples::wrongReadsAreRefused() {
  const auto reader = makeSample("abc", {.size = {5, 5, 5}});
  std::vector<std::byte> out(12);
  QVERIFY_EXCEPTION_THROWN(reader->read(7, 0, {{0, 0, 0}, {1, 1, 1}}, out), Invalid);
  QVERIFY_EXCEPTION_THROWN(reader->read(0, 1, {{0, 0, 0}, {1, 1, 1}}, out), Invalid);
  QVERIFY_EXCEPTION_THROWN(reader->read(0, 0, {{5, 0, 0}, {1, 1, 1}}, out), Invalid);
  QVERIFY_EXCEPTION_THROWN(reader->read(0, 0, {{0, 0, 0}, {2, 1, 1}}, out), Invalid);
  reader->read(0, 0, {{4, 4, 4}, {1, 1, 1}}, out);
}

QTEST_APPLESS_MAIN(TestSamples)
#include "tst_samples.moc"
