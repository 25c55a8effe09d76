// Isolines against answers that are known: straight lines of a linear function on any slice, circles, values
// that nodes have exactly; lines go on across patches with equal vertices, however the data are paged.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/extract/isolines.h"
#include "core/extract/slice.h"
#include "core/fields/data/box_data.h"
#include "tests/support/one_task.h"
#include "tests/unit/extract/known_blocks.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

struct Line {
  double value = 0;
  std::vector<Vec3> points;
  std::vector<std::vector<double>> values;
  std::vector<Vec3> normals;
};

/// Keeps lines of nodes with `values` values.
class KeptLines final : public IsolineSink {
 public:
  explicit KeptLines(std::size_t values) : m_values(values) {}
  void line(double value, std::size_t) override { lines.push_back({value, {}, {}, {}}); }
  void vertex(std::span<const double> vertex) override {
    lines.back().points.push_back({vertex[0], vertex[1], vertex[2]});
    const auto own = vertex.subspan(3, m_values), normal = vertex.subspan(3 + m_values);
    lines.back().values.emplace_back(own.begin(), own.end());
    QCOMPARE(normal.size(), std::size_t{3});
    lines.back().normals.push_back({normal[0], normal[1], normal[2]});
  }
  std::vector<Line> lines;

 private:
  std::size_t m_values;
};

class Cutting final : public SurfaceSink {
 public:
  Cutting(IsolineCutter& cutter, IsolineSink& lines) : m_cutter(cutter), m_lines(lines) {}
  void patch(std::size_t, const SurfacePatch& patch) override {
    m_cutter.cut(patch, m_lines);
    ++patches;
  }
  int patches = 0;

 private:
  IsolineCutter& m_cutter;
  IsolineSink& m_lines;
};

/// The box from 0 to `size`, its inner nodes moved about by up to a quarter of a cell.
Block shakenBlock(Index3 dims, Vec3 size) {
  const auto place = [=](const Index3& n) {
    Vec3 p;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const double cells = static_cast<double>(dims[axis] - 1), at = static_cast<double>(n[axis]);
      const std::int64_t mixed = (n[0] * 7919 + n[1] * 104'729 + n[2] * 1'299'709 + a * 15'485'863) % 9973;
      const bool fixed = n[axis] == 0 || n[axis] == dims[axis] - 1;
      p[a] = size[a] * (at + (fixed ? 0 : 0.25 * (static_cast<double>(mixed) / 4986 - 1))) / cells;
    }
    return p;
  };
  return {dims, place};
}

/// Lines on a slice where `field` has `values`; each node has it and the linear function.
KeptLines onSlice(const Block& block, const Field& field, const Plane& plane,
                  const std::vector<double>& values, int edge = 8, int* patches = nullptr) {
  MemoryAccount account(std::uint64_t{16} << 20);
  const auto data = fields::openBoxes(readerOf({block}, field), {edge, false, "isolines"}, {}, account);
  const fields::FunctionPlan functions(data->description(), {"f", "g"});
  fields::PagedDataOptions options;
  options.arrays = {"f", "g"};
  options.resultBytesPerTask = sliceTaskBytes(functions);
  fields::PagedData paged(*data, account, options);
  const Slice slice(data->description(), plane);
  KeptLines kept(2);
  const auto cutter = std::make_unique<IsolineCutter>(values, 2);
  Cutting sink(*cutter, kept);
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < slice.taskCount(); ++n) slice.extract(n, paged, context, functions, 0, sink);
  });
  if (patches) *patches = sink.patches;
  return kept;
}

/// A sheet of nodes of 1 x 1 in z = 0, as one patch: the functions of place at the nodes.
struct Sheet {
  Sheet(int nodes, const Field& field) {
    for (int j = 0; j < nodes; ++j)
      for (int i = 0; i < nodes; ++i) {
        const Vec3 p{static_cast<double>(i), static_cast<double>(j), 0};
        points.insert(points.end(), {p.x, p.y, p.z});
        normals.insert(normals.end(), {0, 0, 1});
        values.push_back(field(p));
      }
    for (int j = 0; j + 1 < nodes; ++j)
      for (int i = 0; i + 1 < nodes; ++i) {
        const auto a = static_cast<std::uint32_t>(j * nodes + i), b = a + 1,
                   d = a + static_cast<std::uint32_t>(nodes), c = d + 1;
        triangles.insert(triangles.end(), {a, b, c, a, c, d});
      }
  }
  std::vector<Line> cut(const std::vector<double>& at) const {
    KeptLines kept(1);
    const auto cutter = std::make_unique<IsolineCutter>(at, 1);
    cutter->cut({points, normals, values, triangles}, kept);
    return kept.lines;
  }
  std::vector<double> points, normals, values;
  std::vector<std::uint32_t> triangles;
};

double lengthOf(const std::vector<Line>& lines, double value) {
  double sum = 0;
  for (const Line& line : lines)
    for (std::size_t n = 0; line.value == value && n + 1 < line.points.size(); ++n)
      sum += length(line.points[n + 1] - line.points[n]);
  return sum;
}

/// Of the straight line through `point` along `direction`, the length inside the box from 0 to `size`.
double lengthInBox(Vec3 point, Vec3 direction, Vec3 size) {
  double low = -1e9, high = 1e9;
  for (int a = 0; a < 3; ++a) {
    if (direction[a] == 0) continue;
    const double one = (0 - point[a]) / direction[a], other = (size[a] - point[a]) / direction[a];
    low = std::max(low, std::min(one, other));
    high = std::min(high, std::max(one, other));
  }
  return std::max(0.0, high - low) * length(direction);
}

}  // namespace

class TestIsolines : public QObject {
  Q_OBJECT
 private slots:
  void ofALinearFunctionAreStraight_data();
  void ofALinearFunctionAreStraight();
  void goOnAcrossPatches();
  void pagesDoNotMatter();
  void largerValuesLieToTheLeft();
  void normalsAreOfTheSideThatIsSeen();
  void closedLinesEndWhereTheyBegin();
  void nodesWithTheValueCountAsAbove();
  void whatIsNoNumberIsLeftOut();
  void saddlesKeepAllLines();
  void roughOnesComeInPieces();
};

void TestIsolines::ofALinearFunctionAreStraight_data() {
  QTest::addColumn<QVector<double>>("normal");
  QTest::newRow("z") << QVector<double>{0, 0, 1};
  QTest::newRow("aslant") << QVector<double>{1, 0.3, 0.2};
  QTest::newRow("aslant the other way") << QVector<double>{-0.4, 1, -1.1};
}

void TestIsolines::ofALinearFunctionAreStraight() {
  QFETCH(QVector<double>, normal);
  const Vec3 size{2, 3, 1.5}, slope{3, -5, 7};
  const Plane plane({1.03, 1.48, 0.77}, {normal[0], normal[1], normal[2]});
  const std::vector<double> values{-6, -1.5, 0, 2.25, 6, 11};
  const KeptLines kept = onSlice(shakenBlock({23, 27, 19}, size), linearFunction, plane, values);
  for (const double value : values) {
    // where the plane of the slice and that of the value meet
    const Vec3 direction = cross(plane.normal(), slope);
    const Vec3 inPlane = cross(direction, plane.normal());
    const Vec3 through =
        plane.origin() + (value - linearFunction(plane.origin())) / dot(slope, inPlane) * inPlane;
    const double wanted = lengthInBox(through, direction, size);
    const double found = lengthOf(kept.lines, value);
    QVERIFY2(std::abs(found - wanted) <= 1e-12 * size.y,
             qPrintable(QString("%1: %2, not %3").arg(value).arg(found, 0, 'g', 17).arg(wanted, 0, 'g', 17)));
    for (const Line& line : kept.lines) {
      if (line.value != value) continue;
      QVERIFY(line.points.size() >= 2);
      for (std::size_t n = 0; n < line.points.size(); ++n) {
        QVERIFY(length(cross(line.points[n] - through, direction)) <= 2e-14 * length(direction) * size.y);
        QCOMPARE(line.values[n][0], value);
        QVERIFY(std::abs(line.values[n][1] - value) < 1e-12);
        QVERIFY(length(cross(line.normals[n], plane.normal())) < 1e-9);
      }
    }
  }
  QVERIFY(!kept.lines.empty());
}

void TestIsolines::goOnAcrossPatches() {
  const Vec3 size{2, 3, 1.5};
  const auto field = [](Vec3 p) { return std::sin(4 * p.x) * std::cos(3 * p.y) + 0.3 * p.z; };
  int patches = 0;
  const KeptLines kept = onSlice(shakenBlock({33, 40, 17}, size), field, Plane({1, 1.5, 0.7}, {0.1, 0.2, 1}),
                                 {-0.4, 0.1, 0.5}, 8, &patches);
  QVERIFY(patches > 20);
  std::map<std::array<double, 3>, int> ends;
  for (const Line& line : kept.lines)
    for (const Vec3& end : {line.points.front(), line.points.back()}) ++ends[{end.x, end.y, end.z}];
  int inside = 0;
  for (const auto& [end, times] : ends) {
    bool onASide = false;
    for (std::size_t a = 0; a < 3; ++a)
      for (const double side : {0.0, size[static_cast<int>(a)]})
        onASide = onASide || std::abs(end[a] - side) < 1e-12;
    if (onASide) continue;
    ++inside;
    // to the last bit, or the map would hold two places with one end each
    QCOMPARE(times % 2, 0);
  }
  QVERIFY(inside > 50);
}

void TestIsolines::pagesDoNotMatter() {
  const auto field = [](Vec3 p) { return p.x * p.x + p.y * p.z; };
  const Block block = shakenBlock({20, 21, 22}, {1, 1, 1});
  const Plane plane({0.5, 0.5, 0.5}, {1, 1, 0.3});
  const KeptLines small = onSlice(block, field, plane, {0.2, 0.6}, 4);
  const KeptLines large = onSlice(block, field, plane, {0.2, 0.6}, 16);
  QVERIFY(small.lines.size() > 4);
  QCOMPARE(small.lines.size(), large.lines.size());
  for (std::size_t n = 0; n < small.lines.size(); ++n) {
    QCOMPARE(small.lines[n].points.size(), large.lines[n].points.size());
    for (std::size_t v = 0; v < small.lines[n].points.size(); ++v)
      QVERIFY(small.lines[n].points[v] == large.lines[n].points[v]);
  }
}

void TestIsolines::largerValuesLieToTheLeft() {
  const Sheet sheet(9, [](Vec3 p) { return p.x + 0.3 * p.y * p.y; });
  for (const Line& line : sheet.cut({2.5, 6.1}))
    for (std::size_t n = 0; n + 1 < line.points.size(); ++n) {
      const Vec3 left = cross({0, 0, 1}, line.points[n + 1] - line.points[n]);
      const Vec3 middle = 0.5 * (line.points[n] + line.points[n + 1]);
      QVERIFY(dot(left, {1, 0.6 * middle.y, 0}) > 0);
    }
}

/// Between those of the nodes.
void TestIsolines::normalsAreOfTheSideThatIsSeen() {
  Sheet sheet(3, [](Vec3 p) { return p.x; });
  for (std::size_t n = 0; n < sheet.normals.size(); n += 3)
    if (sheet.points[n] == 0) sheet.normals[n] = 0.6, sheet.normals[n + 2] = 0.8;
  for (const bool fromBehind : {false, true}) {
    const double side = fromBehind ? -1 : 1;
    KeptLines kept(1);
    const std::vector<double> values{0.25, 1};
    const auto cutter = std::make_unique<IsolineCutter>(values, 1);
    cutter->cut({sheet.points, sheet.normals, sheet.values, sheet.triangles, fromBehind}, kept);
    QCOMPARE(kept.lines.size(), 2u);
    for (const Line& line : kept.lines)
      for (const Vec3& normal : line.normals)
        QVERIFY(length(normal - side * (line.value == 1 ? Vec3{0, 0, 1} : Vec3{0.45, 0, 0.85})) < 1e-12);
  }
}

void TestIsolines::closedLinesEndWhereTheyBegin() {
  const Sheet sheet(13, [](Vec3 p) { return (p.x - 6.1) * (p.x - 6.1) + (p.y - 5.8) * (p.y - 5.8); });
  const std::vector<Line> lines = sheet.cut({9, 16});
  QCOMPARE(lines.size(), 2u);
  for (const Line& line : lines) {
    QVERIFY(line.points.front() == line.points.back());
    const double radius = std::sqrt(line.value);
    // chords of circles, and of parabolas instead of them
    QVERIFY(std::abs(lengthOf(lines, line.value) / (2 * 3.14159265358979 * radius) - 1) < 0.02);
  }
}

void TestIsolines::nodesWithTheValueCountAsAbove() {
  // a column of nodes has the value: one line along it
  const Sheet slope(6, [](Vec3 p) { return p.x; });
  const std::vector<Line> one = slope.cut({3});
  QCOMPARE(one.size(), 1u);
  QCOMPARE(one[0].points.size(), 6u);
  QCOMPARE(lengthOf(one, 3), 5.0);
  for (const Vec3& p : one[0].points) QCOMPARE(p.x, 3.0);
  // a step of three columns: the line is the border with lower values
  const Sheet step(8, [](Vec3 p) { return std::clamp(p.x, 2.0, 5.0); });
  QCOMPARE(lengthOf(step.cut({5}), 5), 7.0);
  QCOMPARE(step.cut({2}).size(), 0u);
  // a peak of one node is nothing, and nothing is lower than all of it
  const Sheet peak(5, [](Vec3 p) { return p.x == 2 && p.y == 2 ? 1.0 : 0.0; });
  QCOMPARE(peak.cut({1}).size(), 0u);
  QCOMPARE(peak.cut({0}).size(), 0u);
  QCOMPARE(peak.cut({0.5}).size(), 1u);
}

void TestIsolines::whatIsNoNumberIsLeftOut() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Sheet sheet(7, [nan](Vec3 p) { return p.y > 4.5 ? nan : p.y == 0 ? -1 / p.y : p.x; });
  const std::vector<Line> lines = sheet.cut({2.5});
  QCOMPARE(lines.size(), 1u);
  QCOMPARE(lengthOf(lines, 2.5), 3.0);  // from y = 1 to 4
}

void TestIsolines::saddlesKeepAllLines() {
  // two lines that cross in a node
  const Sheet sheet(5, [](Vec3 p) { return (p.x - 2) * (p.y - 2) + 1; });
  const std::vector<Line> lines = sheet.cut({1});
  // the nodes of both have the value: their border with the lower values of two quadrants, of which a triangle each
  // cuts off the corner
  QCOMPARE(lines.size(), 2u);
  QVERIFY(std::abs(lengthOf(lines, 1) - (4 + 2 * std::sqrt(2.0))) < 1e-12);
}

/// Of a rough function there are more segments than there is room for at a time: all are there, in pieces.
void TestIsolines::roughOnesComeInPieces() {
  const Sheet sheet(60, [](Vec3 p) { return std::fmod(p.x + p.y, 2); });
  const std::vector<Line> lines = sheet.cut({0.5});
  std::size_t segments = 0;
  for (const Line& line : lines) segments += line.points.size() - 1;
  // every square is crossed twice, in two triangles or by two corners
  QVERIFY(segments > 256 * 20);
  const Sheet part(10, [](Vec3 p) { return std::fmod(p.x + p.y, 2); });
  const double one = lengthOf(part.cut({0.5}), 0.5) / 81;
  QVERIFY(std::abs(lengthOf(lines, 0.5) / (59 * 59) - one) < 0.02 * one);
}

QTEST_APPLESS_MAIN(TestIsolines)
#include "tst_isolines.moc"
