// How lines leave cells and blocks: the way through a cell, the exit from a block, and the steps on either
// side.

#include <QTest>

#include <algorithm>
#include <numbers>

#include "core/flow/block_exit.h"
#include "core/flow/cell_curve.h"
#include "core/flow/tracer.h"
#include "tests/unit/flow/formula_sampler.h"

using namespace farfield;
using namespace farfield::flow;
using namespace farfield::test;

class TestBlockChanges : public QObject {
  Q_OBJECT
 private slots:
  void wayThroughACell_data();
  void wayThroughACell();
  void blockExitIsFound();
  void endOfAGridTakesFewSearches();
  void lineGoesOnInTheNextBlock();
  void longStepsWalkFromBlockToBlock();
  void quickChangesOfBlockEnd();
  void stepsEndOnFacesWhereTheFieldHasKinks();
};

void TestBlockChanges::wayThroughACell_data() {
  QTest::addColumn<double>("startX");
  QTest::addColumn<double>("startY");
  QTest::addColumn<double>("angle");  // of the velocity, which is of length 1
  QTest::addColumn<double>("bend");   // d angle / dt
  QTest::addColumn<double>("time");   // of the step
  QTest::addColumn<int>("axis");      // of the face that it goes out of; -1: none
  QTest::addColumn<bool>("up");
  const double pi = std::numbers::pi;
  QTest::newRow("straight, up") << 0.0 << 0.5 << 0.1 << 0.0 << 1.2 << 0 << true;
  QTest::newRow("straight, down") << 0.7 << 0.5 << pi << 0.0 << 0.9 << 0 << false;
  QTest::newRow("stays") << 0.1 << 0.5 << 0.0 << 0.3 << 0.8 << -1 << false;
  QTest::newRow("bends to the side") << 0.1 << 0.6 << 0.2 << 0.9 << 1.0 << 1 << true;
  QTest::newRow("goes out and comes back") << 0.4 << 0.95 << 0.6 << -1.6 << 0.8 << 1 << true;
  QTest::newRow("begins on the face that it goes out of") << 0.3 << 1.0 << -0.4 << 1.3 << 0.9 << 1 << true;
  QTest::newRow("through an edge, nearly") << 0.2 << 0.2 << pi / 4 + 0.01 << 0.0 << 1.3 << 1 << true;
}

void TestBlockChanges::wayThroughACell() {
  QFETCH(double, startX);
  QFETCH(double, startY);
  QFETCH(double, angle);
  QFETCH(double, bend);
  QFETCH(double, time);
  QFETCH(int, axis);
  QFETCH(bool, up);
  struct Turning {
    double angle, bend;
    Vec3 at(double t) const { return {std::cos(angle + bend * t), std::sin(angle + bend * t), 0}; }
    Reach velocityAt(Vec3, double t, Vec3& v) const {
      v = at(t);
      return Reach::Inside;
    }
  } field{angle, bend};
  const auto exact = [&](double t) {
    if (bend == 0) return Vec3{startX, startY, 0.5} + t * field.at(0);
    return Vec3{startX + (std::sin(angle + bend * t) - std::sin(angle)) / bend,
                startY - (std::cos(angle + bend * t) - std::cos(angle)) / bend, 0.5};
  };
  const Vec3 start{startX, startY, 0.5};
  const CellCurve curve(start, field.at(0), dopri5Step(field, start, 0, field.at(0), time), time);
  for (const double s : {0.0, 0.25, 0.5, 0.9, 1.0})
    QVERIFY2(length(curve.at(s) - exact(s * time)) < 1e-3,
             qPrintable(QString::number(length(curve.at(s) - exact(s * time)))));
  const std::optional<FaceExit> exit = curve.firstExit<fields::Hexahedron>();
  QCOMPARE(exit.has_value(), axis >= 0);
  if (!exit) return;
  QCOMPARE(exit->face, 2 * axis + (up ? 1 : 0));
  QVERIFY(std::abs(curve.at(exit->s)[axis] - (up ? 1 : 0)) < 1e-9);
  // Inside all the way there (0: on the face that it begins on), and outside behind.
  for (int n = 1; n < 100; ++n) {
    const Vec3 xi = curve.at(exit->s * n / 100);
    QVERIFY(std::min(xi.x, xi.y) >= 0 && std::max(xi.x, xi.y) <= 1);
  }
  const double behind = curve.at(exit->s + 1e-3)[axis];
  QVERIFY(up ? behind > 1 : behind < 0);
}

void TestBlockChanges::blockExitIsFound() {
  // Two cells along x; the curve leaves the second one at x = 2.
  const auto xAt = [](double s) { return 0.3 + 0.5 * s + 0.1 * s * s; };
  const auto placeOf = [&](double s) {
    const int cell = xAt(s) < 1 ? 0 : 1;
    return fields::Location{0, cell, {xAt(s) - cell, 0.5, 0.5}};
  };
  const double exact = (-0.5 + std::sqrt(0.25 + 4 * 0.1 * 1.7)) / 0.2;
  const auto outsideBy = [&](double s) { return fields::Hexahedron::outsideBy(placeOf(s).xi); };
  BlockExit exit(4, placeOf(4), outsideBy(4));
  QVERIFY(std::isinf(exit.left()));
  for (int n = 0; n < 7; ++n) {
    const double s = exit.next();
    QVERIFY(s > exit.inside() && s < exit.outside());
    exit.add(s, placeOf(s), outsideBy(s), xAt(s) > 2);
  }
  QVERIFY(std::abs(exit.next() - exact) < 1e-9);
  QVERIFY(std::abs(exit.left()) < 1e-6);
  exit.restart(4);
  QCOMPARE(exit.inside(), 0.0);
  exit.add(exact - 0.01, placeOf(exact - 0.01), outsideBy(exact - 0.01), false);
  QVERIFY(std::abs(exit.left() - 0.01) < 1e-3);
}

void TestBlockChanges::endOfAGridTakesFewSearches() {
  for (const Method method : {Method::Dopri5, Method::Rk4}) {
    // Outwards across the side z = 4 with a turning velocity.
    GridSampler rising(4, 12, [](Vec3 p) { return taylorGreen(p) + Vec3{0, 0, 1 + 0.1 * p.z}; });
    const Line line = trace(rising, {1, 0.2, -3.5}, 1, {.method = method, .tolerance = 1e-8});
    QVERIFY(line.result.termination == Termination::OutOfDomain);
    const double before = 4 - line.points.back().z;
    QVERIFY2(before >= 0 && before < 1e-7 * rising.bounds().diagonal(), qPrintable(QString::number(before)));
    // One for the seed, one to see that nothing follows.
    QCOMPARE(rising.searches, 2);
    for (const Vec3& point : line.points) QVERIFY(rising.bounds().contains(point));
  }
}

void TestBlockChanges::lineGoesOnInTheNextBlock() {
  const auto flow = [](Vec3 p) { return Vec3{1 + 0.2 * p.y, 0.3 * std::sin(p.x), 0.1}; };
  for (const Method method : {Method::Dopri5, Method::Rk4}) {
    const LineOptions options{.method = method, .tolerance = 1e-10, .stepCells = 0.01};
    GridSampler one(4, 12, flow), two(4, 12, flow, {5});
    const Line whole = trace(one, {-3.7, 0.2, 0.1}, 1, options);
    const Line parts = trace(two, {-3.7, 0.2, 0.1}, 1, options);
    QVERIFY(parts.result.termination == Termination::OutOfDomain);
    QCOMPARE(parts.result.block, 0);
    QVERIFY(length(whole.points.back() - parts.points.back()) < 1e-6);
    QVERIFY(std::abs(whole.times.back() - parts.times.back()) < 1e-6);
    // The seed, what follows the first block twice, and that nothing follows the second.
    QVERIFY2(two.searches <= 4, qPrintable(QString::number(two.searches)));
    const double meet = -4 + 5 * 8.0 / 12;
    double nearest = 1;
    for (const Vec3& point : parts.points) nearest = std::min(nearest, std::abs(point.x - meet));
    QVERIFY2(nearest < 1e-5, qPrintable(QString::number(nearest)));
  }
}

void TestBlockChanges::longStepsWalkFromBlockToBlock() {
  const auto flow = [](Vec3 p) { return Vec3{1 + 0.2 * p.y, 0.3 * std::sin(p.x), 0.1}; };
  const Vec3 seed{-3.7, 0.2, 0.1};
  GridSampler one(4, 24, flow);
  const Line exact = trace(one, seed, 1, {.tolerance = 1e-9});
  // Stages of such steps lie cells beyond the end of a block; and one block is left soon after it is entered.
  for (const double step : {2.5, 4.0}) {
    GridSampler parts(4, 24, flow, {11, 12, 20});
    const Line line = trace(parts, seed, 1, {.method = Method::Rk4, .stepCells = step});
    QVERIFY(line.result.termination == Termination::OutOfDomain);
    const double gap = length(exact.points.back() - line.points.back());
    QVERIFY2(gap < 0.001, qPrintable(QString::number(gap)));
    QVERIFY(4 - line.points.back().x < 1e-5);
    // The seed, what follows each of three blocks, and that nothing follows the last one.
    QCOMPARE(parts.searches, 5);
  }
}

void TestBlockChanges::quickChangesOfBlockEnd() {
  const auto flow = [](Vec3 p) { return Vec3{1 + 0.2 * p.y, 0.3 * std::sin(p.x), 0.1}; };
  const Vec3 seed{-3.7, 0.2, 0.1};
  GridSampler one(4, 24, flow), thin(4, 24, flow, {9, 10, 11, 12, 13, 14, 15, 16});
  const LineOptions options{.method = Method::Rk4, .stepCells = 2.5};
  const Line whole = trace(one, seed, 1, options), parts = trace(thin, seed, 1, options);
  QVERIFY(parts.result.termination == Termination::OutOfDomain);
  const double gap = length(whole.points.back() - parts.points.back());
  QVERIFY2(gap < 0.01, qPrintable(QString::number(gap)));
  // After the fourth of eight the stages are searched for, and steps are of their size again.
  QVERIFY2(thin.searches > 15, qPrintable(QString::number(thin.searches)));
  const auto inThin = std::count_if(parts.points.begin(), parts.points.end(), [](Vec3 point) {
    const double cells = (point.x + 4) * 3;
    return cells > 9.01 && cells < 15.99;
  });
  QVERIFY2(inThin <= 6, qPrintable(QString::number(inThin)));
}

void TestBlockChanges::stepsEndOnFacesWhereTheFieldHasKinks() {
  GridSampler sampler(4, 12, taylorGreen);
  const Vec3 seed{1, 0.2, 0.1};
  const Line line = trace(sampler, seed, 1, {.tolerance = 1e-9, .maxTime = 20});
  const int evaluations = sampler.evaluations, flows = sampler.flows;
  int onFaces = 0, crossings = 0;
  fields::Location last, now;
  sampler.locate(seed, {}, last);
  for (const Vec3& point : line.points) {
    onFaces += sampler.toFace(point) < 1e-4;
    sampler.locate(point, {}, now);
    crossings += now.cell != last.cell;
    last = now;
  }
  QVERIFY2(onFaces > 0.9 * crossings, qPrintable(QString("%1 of %2").arg(onFaces).arg(crossings)));
  QVERIFY2(evaluations < 90 * crossings, qPrintable(QString::number(evaluations / crossings)));
  // Stages are in cells: a vertex is looked up once or twice, and a cell is taken for a step or two.
  QVERIFY2(evaluations < 3 * static_cast<int>(line.points.size()), qPrintable(QString::number(evaluations)));
  QVERIFY2(flows >= crossings && flows < 2 * static_cast<int>(line.points.size()),
           qPrintable(QString("%1 cells, %2 vertices").arg(flows).arg(line.points.size())));
  // The same end as with steps so small that kinks do not matter.
  const Line fine = trace(sampler, seed, 1,
                          {.method = Method::Rk4, .stepCells = 0.0005, .maxTime = 20, .maxSteps = 1000000});
  QCOMPARE(line.times.back(), 20.0);
  const double gap = length(fine.points.back() - line.points.back());
  QVERIFY2(gap < 1e-6, qPrintable(QString::number(gap)));
}

QTEST_APPLESS_MAIN(TestBlockChanges)
#include "tst_block_changes.moc"
