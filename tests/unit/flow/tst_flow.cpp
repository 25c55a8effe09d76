// Lines through fields with known answers: order of the methods, invariants, and how lines end.

#include <QTest>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/flow/seeds.h"
#include "core/flow/tracer.h"
#include "tests/unit/flow/formula_sampler.h"

using namespace farfield;
using namespace farfield::flow;
using namespace farfield::test;

class TestFlow : public QObject {
  Q_OBJECT
 private slots:
  void rk4IsOfFourthOrder();
  void dopri5StepIsOfFifthOrder();
  void dopri5ErrorFollowsTheTolerance();
  void streamFunctionIsConstant();
  void lineGoesBackTheWayItCame();
  void hermiteCurveIsCloseToTheLine();
  void timeIsMetExactly();
  void lengthIsMet();
  void stepLimit();
  void lineEndsAtTheBoundary_data();
  void lineEndsAtTheBoundary();
  void obliqueAndCurvedExit();
  void grazingLineGoesOn();
  void stagnationPointEndsTheLine();
  void seedOutsideHasNoVertex();
  void nanIsABoundary();
  void nanAtTheSeed();
  void toleranceThatCannotBeMet();
  void timeBudgetAndStop();
  void verticesAreSound();
  void equalInputsGiveEqualBits();
  void hugeAndTinySpeeds();
  void optionsAreChecked();
  void seedsOfEachKind();
  void seedsAreChecked();
  void terminationCodesAreStable();
};

namespace {
double largestDifference(const Line& line, const std::function<double(Vec3)>& invariant) {
  double largest = 0;
  for (const Vec3& p : line.points)
    largest = std::max(largest, std::abs(invariant(p) - invariant(line.points[0])));
  return largest;
}
/// Distance of a line's end from the exact place on a circle around the axis.
double rotationError(const Line& line, double radius) {
  const double t = line.times.back();
  return length(line.points.back() - Vec3{radius * std::cos(t), radius * std::sin(t), 0});
}
}  // namespace

void TestFlow::rk4IsOfFourthOrder() {
  std::vector<double> errors;
  for (const double step : {0.8, 0.4, 0.2}) {
    FormulaSampler sampler(box(2), 0.25, rotation);
    const Line line = trace(sampler, {1, 0, 0}, 1, {.method = Method::Rk4, .stepCells = step, .maxTime = 4});
    QCOMPARE(line.times.back(), 4.0);
    errors.push_back(rotationError(line, 1));
  }
  for (std::size_t n = 1; n < errors.size(); ++n) {
    const double order = std::log2(errors[n - 1] / errors[n]);
    QVERIFY2(order > 3.8 && order < 4.3, qPrintable(QString::number(order)));
  }
}

void TestFlow::dopri5StepIsOfFifthOrder() {
  struct Rotation {
    Reach velocityAt(Vec3 p, double, Vec3& v) {
      v = rotation(p);
      return Reach::Inside;
    }
  } field;
  const auto local = [&](double h) {
    const Step step = dopri5Step(field, Vec3{1, 0, 0}, 0, rotation({1, 0, 0}), h);
    return std::pair(length(step.position - Vec3{std::cos(h), std::sin(h), 0}), step.error);
  };
  const auto [error1, estimate1] = local(0.4);
  const auto [error2, estimate2] = local(0.2);
  QVERIFY(std::abs(std::log2(error1 / error2) - 6) < 0.3);
  QVERIFY(std::abs(std::log2(estimate1 / estimate2) - 5) < 0.3);
  QVERIFY(estimate1 > error1);
}

void TestFlow::dopri5ErrorFollowsTheTolerance() {
  double previous = 0;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    FormulaSampler sampler(box(2), 2, rotation);
    const Line line =
        trace(sampler, {1, 0, 0}, 1, {.tolerance = tolerance, .hermiteTolerance = 1, .maxTime = 6});
    const double error = rotationError(line, 1);
    QVERIFY2(error < 30 * tolerance && error > 0.01 * tolerance,
             qPrintable(QString::number(error / tolerance)));
    if (previous > 0) QVERIFY(previous / error > 30 && previous / error < 300);
    previous = error;
  }
}

void TestFlow::streamFunctionIsConstant() {
  FormulaSampler vortices(box(4), 0.3, taylorGreen);
  const Line vortex = trace(vortices, {1, 0.6, 0}, 1, {.tolerance = 1e-9, .maxTime = 100});
  QVERIFY(vortex.result.termination == Termination::MaxTime);
  QVERIFY(largestDifference(vortex, taylorGreenStream) < 1e-7);

  FormulaSampler around(box(5), 0.3, cylinder, [](Vec3 p) { return p.x * p.x + p.y * p.y >= 1; });
  const Line passing = trace(around, {-4, 0.05, 0}, 1, {.tolerance = 1e-9});
  QVERIFY(passing.result.termination == Termination::OutOfDomain);
  QVERIFY(passing.points.back().x > 5 - 1e-5);
  QVERIFY(largestDifference(passing, cylinderStream) < 1e-7);
}

void TestFlow::lineGoesBackTheWayItCame() {
  FormulaSampler sampler(box(50), 0.3, abc);
  const LineOptions options{.tolerance = 1e-11, .maxTime = 10};
  const Line there = trace(sampler, {1, 2, 3}, 1, options);
  const Line back = trace(sampler, there.points.back(), -1, options);
  QCOMPARE(back.times.back(), -10.0);
  QCOMPARE(back.result.time, -10.0);
  QVERIFY(length(back.points.back() - Vec3{1, 2, 3}) < 1e-7);
  QVERIFY(std::abs(there.result.length - back.result.length) < 1e-4);
}

void TestFlow::hermiteCurveIsCloseToTheLine() {
  // Few cells and a loose tolerance: only the Hermite limit keeps the vertices close enough together.
  FormulaSampler sampler(box(2), 4, rotation);
  const double limit = 1e-6;
  const Line line =
      trace(sampler, {1, 0, 0}, 1, {.tolerance = 1e-3, .hermiteTolerance = limit, .maxTime = 6});
  double worst = 0;
  for (std::size_t n = 1; n < line.points.size(); ++n) {
    const double h = line.times[n] - line.times[n - 1];
    const Vec3 middle =
        0.5 * (line.points[n - 1] + line.points[n]) + (h / 8) * (line.velocities[n - 1] - line.velocities[n]);
    worst = std::max(worst, std::abs(length(middle) - length(line.points[n])));
  }
  QVERIFY2(worst < 2 * limit, qPrintable(QString::number(worst)));
  QVERIFY(worst > 0.01 * limit);
}

void TestFlow::timeIsMetExactly() {
  for (const double time : {0.1, 1.0 / 3, 7.77}) {
    for (const Method method : {Method::Dopri5, Method::Rk4}) {
      FormulaSampler sampler(box(2), 0.1, rotation);
      const Line line = trace(sampler, {1, 0, 0}, -1, {.method = method, .maxTime = time});
      QVERIFY(line.result.termination == Termination::MaxTime);
      QCOMPARE(line.times.back(), -time);
    }
  }
}

void TestFlow::lengthIsMet() {
  FormulaSampler sampler(box(4), 0.4, taylorGreen);
  for (const Method method : {Method::Dopri5, Method::Rk4}) {
    const LineOptions options{.method = method, .tolerance = 1e-10, .stepCells = 0.05, .maxLength = 12.5};
    const Line line = trace(sampler, {1, 0.2, 0}, 1, options);
    QVERIFY(line.result.termination == Termination::MaxLength);
    // It is the last step that reaches it.
    QVERIFY(line.result.length >= 12.5);
    LineOptions one = options;
    one.maxSteps = line.result.steps - 1;
    QVERIFY(trace(sampler, {1, 0.2, 0}, 1, one).result.length < 12.5);
    // Against the same line in steps of a thousandth of a cell, of which chords are good enough.
    const Line fine = trace(sampler, {1, 0.2, 0}, 1,
                            {.method = Method::Rk4, .stepCells = 0.001, .maxTime = line.times.back()});
    double chords = 0;
    for (std::size_t n = 1; n < fine.points.size(); ++n)
      chords += length(fine.points[n] - fine.points[n - 1]);
    QVERIFY2(std::abs(chords - line.result.length) < 1e-5, qPrintable(QString::number(chords)));
  }
}

void TestFlow::stepLimit() {
  FormulaSampler sampler(box(2), 0.1, rotation);
  const Line line = trace(sampler, {1, 0, 0}, 1, {.maxSteps = 17});
  QVERIFY(line.result.termination == Termination::MaxSteps);
  QCOMPARE(line.points.size(), std::size_t{18});
  QCOMPARE(line.result.steps, 17);
}

void TestFlow::lineEndsAtTheBoundary_data() {
  QTest::addColumn<int>("method");
  QTest::addColumn<double>("cell");
  QTest::newRow("dopri5 fine") << 0 << 0.05;
  QTest::newRow("dopri5 coarse") << 0 << 1.7;
  QTest::newRow("rk4 fine") << 1 << 0.05;
  QTest::newRow("rk4 coarse") << 1 << 1.7;
}

void TestFlow::lineEndsAtTheBoundary() {
  QFETCH(int, method);
  QFETCH(double, cell);
  // Uniform flow, and a source whose speed falls off: the exit is known.
  FormulaSampler uniform(box(2), cell, [](Vec3) { return Vec3{2, 1, 0.5}; });
  const LineOptions options{.method = method ? Method::Rk4 : Method::Dopri5};
  const Line straight = trace(uniform, {-1.03, -1, 0}, 1, options);
  QVERIFY(straight.result.termination == Termination::OutOfDomain);
  const Vec3 exit{2, -1 + 3.03 / 2, 3.03 / 4};
  const double missed = length(straight.points.back() - exit) / uniform.bounds().diagonal();
  QVERIFY2(missed < 3e-7, qPrintable(QString::number(missed)));
  QVERIFY(uniform.bounds().contains(straight.points.back()));

  FormulaSampler source(
      box(2), cell, [](Vec3 p) { return (1 / std::pow(length(p), 3)) * p; },
      [](Vec3 p) { return length(p) > 0.1 && length(p) < 1.5; });
  const Line out = trace(source, {0.1, 0.2, 0.3}, 1, options);
  QVERIFY(out.result.termination == Termination::OutOfDomain);
  QVERIFY(std::abs(length(out.points.back()) - 1.5) < 1e-6);
  const Line in = trace(source, {0.1, 0.2, 0.3}, -1, options);
  QVERIFY(in.result.termination == Termination::OutOfDomain);
  QVERIFY(std::abs(length(in.points.back()) - 0.1) < 1e-6);
}

void TestFlow::obliqueAndCurvedExit() {
  // A circle that leaves the half space x < 0.9 at a slant; and how much work the search was.
  FormulaSampler sampler(box(2), 0.2, rotation, [](Vec3 p) { return p.x < 0.9; });
  const Line line = trace(sampler, {0, -1, 0}, 1, {.tolerance = 1e-8});
  QVERIFY(line.result.termination == Termination::OutOfDomain);
  QVERIFY(length(line.points.back() - Vec3{0.9, -std::sqrt(1 - 0.81), 0}) < 1e-6);
  const Line before = trace(sampler, {0, -1, 0}, 1, {.tolerance = 1e-8, .maxTime = line.times.back() - 0.2});
  QVERIFY(line.points.size() - before.points.size() < 8);
  QVERIFY(sampler.locates - sampler.evaluations < 45);
}

void TestFlow::grazingLineGoesOn() {
  // The circle is the domain's boundary but for a hair: stages of a step leave it, the line does not.
  FormulaSampler sampler(box(2), 0.2, rotation, [](Vec3 p) { return p.x * p.x + p.y * p.y < 1.0000001; });
  const Line line = trace(sampler, {1, 0, 0}, 1, {.tolerance = 1e-8, .maxTime = 6});
  QVERIFY(line.result.termination == Termination::MaxTime);
  QVERIFY(rotationError(line, 1) < 1e-6);
  QVERIFY(line.result.steps < 20000);
}

void TestFlow::stagnationPointEndsTheLine() {
  // Towards the saddle at the origin along its stable direction: it is never reached.
  FormulaSampler sampler(box(2), 0.1, [](Vec3 p) { return Vec3{-p.x, p.y, 0}; });
  for (const Method method : {Method::Dopri5, Method::Rk4}) {
    const Line line = trace(sampler, {1, 0, 0}, 1, {.method = method, .tolerance = 1e-8});
    QVERIFY(line.result.termination == Termination::Stagnation);
    QVERIFY(length(line.points.back()) < 1.01e-9);
    QVERIFY(line.result.steps < 400);
  }
  const Line at = trace(sampler, {0, 0, 0}, 1, {.tolerance = 1e-8});
  QVERIFY(at.result.termination == Termination::Stagnation);
  QCOMPARE(at.points.size(), std::size_t{1});
  const Line slow = trace(sampler, {1, 0, 0}, 1, {.tolerance = 1e-8, .minSpeed = 0.01});
  QVERIFY(slow.result.termination == Termination::Stagnation);
  QVERIFY(length(slow.points.back()) < 0.01 && length(slow.points.back()) > 0.008);
}

void TestFlow::seedOutsideHasNoVertex() {
  FormulaSampler sampler(box(2), 0.1, rotation);
  const Line line = trace(sampler, {3, 0, 0}, 1, {});
  QVERIFY(line.result.termination == Termination::SeedOutside);
  QVERIFY(line.points.empty());
  QCOMPARE(line.result.block, -1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  QVERIFY(trace(sampler, {nan, 0, 0}, 1, {}).result.termination == Termination::SeedOutside);
}

void TestFlow::nanIsABoundary() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  FormulaSampler sampler(box(2), 0.1, [nan](Vec3 p) { return p.x > 1 ? Vec3{nan, 0, 0} : Vec3{1, 0, 0}; });
  const Line line = trace(sampler, {0, 0, 0}, 1, {});
  QVERIFY(line.result.termination == Termination::NotFinite);
  QVERIFY(std::abs(line.points.back().x - 1) < 1e-6);
  for (const Vec3& v : line.velocities) QVERIFY(isFinite(v));
}

void TestFlow::nanAtTheSeed() {
  FormulaSampler sampler(box(2), 0.1, [](Vec3) {
    return Vec3{std::numeric_limits<double>::infinity(), 0, 0};
  });
  const Line line = trace(sampler, {0, 0, 0}, 1, {});
  QVERIFY(line.result.termination == Termination::NotFinite);
  QCOMPARE(line.points.size(), std::size_t{1});
}

void TestFlow::toleranceThatCannotBeMet() {
  // Across the plane x = 0 the velocity turns round: no step over it keeps the error small.
  FormulaSampler sampler(box(2), 0.1, [](Vec3 p) { return Vec3{p.x < 0 ? 1.0 : -1.0, 0, 0}; });
  const Line line = trace(sampler, {-1, 0, 0}, 1, {.tolerance = 1e-18, .hermiteTolerance = 1e-18});
  QVERIFY(line.result.termination == Termination::StepTooSmall);
  QVERIFY(std::abs(line.points.back().x) < 1e-9);
}

void TestFlow::timeBudgetAndStop() {
  FormulaSampler sampler(box(2), 0.1, rotation);
  PlainContext context;
  context.timeChecks = 10;
  Line line;
  SampledField field(sampler, {});
  line.result = traceLine(field, {1, 0, 0}, 1, {}, context, line);
  QVERIFY(line.result.termination == Termination::OutOfTime);
  QCOMPARE(line.points.size(), std::size_t{11});
  context.stop = true;
  SampledField again(sampler, {});
  QVERIFY_EXCEPTION_THROWN(traceLine(again, {1, 0, 0}, 1, {}, context, line), Cancelled);
}

void TestFlow::verticesAreSound() {
  FormulaSampler sampler(box(3), 0.3, abc);
  const Line line = trace(sampler, {0.1, 0.2, 0.3}, -1, {.tolerance = 1e-7, .maxTime = 50});
  QCOMPARE(line.times.front(), 0.0);
  QCOMPARE(static_cast<std::int64_t>(line.points.size()), line.result.steps + 1);
  for (std::size_t n = 0; n < line.points.size(); ++n) {
    QCOMPARE(line.velocities[n], abc(line.points[n]));
    QCOMPARE(line.colors[n], line.points[n].x + 2 * line.points[n].y);
    if (n == 0) continue;
    QVERIFY(line.times[n] < line.times[n - 1]);
    QVERIFY(length(line.points[n] - line.points[n - 1]) < 0.45);  // a cell, and what the flow speeds up in it
  }
}

void TestFlow::equalInputsGiveEqualBits() {
  FormulaSampler sampler(box(3), 0.3, abc);
  const Line one = trace(sampler, {0.1, 0.2, 0.3}, 1, {});
  const Line two = trace(sampler, {0.1, 0.2, 0.3}, 1, {});
  QVERIFY(one.points == two.points && one.times == two.times);
}

void TestFlow::hugeAndTinySpeeds() {
  for (const double scale : {1e-140, 1e-30, 1e30, 1e140}) {
    FormulaSampler sampler(box(2), 0.1, [scale](Vec3 p) { return scale * rotation(p); });
    const Line line = trace(sampler, {1, 0, 0}, 1, {.maxLength = 3});
    QVERIFY(line.result.termination == Termination::MaxLength);
    QVERIFY(std::abs(length(line.points.back()) - 1) < 1e-4);
  }
  FormulaSampler still(box(2), 0.1, [](Vec3) { return Vec3{1e-300, 0, 0}; });
  QVERIFY(trace(still, {1, 0, 0}, 1, {}).result.termination == Termination::Stagnation);
  // A field that says it crosses no cells, and velocities whose sums overflow.
  FormulaSampler vast(box(2), std::numeric_limits<double>::infinity(), rotation);
  QVERIFY(trace(vast, {1, 0, 0}, 1, {.maxTime = 1}).result.termination == Termination::MaxTime);
  FormulaSampler wild(box(2), 0.1, [](Vec3 p) {
    return Vec3{1e307 * std::sin(1e3 * p.x), 1e308 * p.x, 1e308};
  });
  QVERIFY(trace(wild, {0.3, 0, 0}, 1, {.maxSteps = 100}).result.termination != Termination::None);
}

void TestFlow::optionsAreChecked() {
  FormulaSampler sampler(box(2), 0.1, rotation);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const LineOptions& bad :
       {LineOptions{.tolerance = -1}, LineOptions{.tolerance = nan}, LineOptions{.stepCells = 0},
        LineOptions{.maxTime = 0}, LineOptions{.maxTime = nan}, LineOptions{.maxLength = -1},
        LineOptions{.maxSteps = 0}, LineOptions{.minSpeed = -1}}) {
    QVERIFY_EXCEPTION_THROWN(trace(sampler, {1, 0, 0}, 1, bad), Invalid);
  }
  try {
    LineOptions{.maxLength = -1}.check();
    QFAIL("no error");
  } catch (const Invalid& error) {
    QCOMPARE(error.place(), std::string("maxLength"));
  }
}

void TestFlow::seedsOfEachKind() {
  const auto points = pointSeeds({{1, 2, 3}, {4, 5, 6}});
  QCOMPARE(points->count(), std::size_t{2});
  QCOMPARE(points->at(1, {}), (Vec3{4, 5, 6}));

  const auto line = lineSeeds({0, 1, 1}, {0, 4, 1}, 4);
  QCOMPARE(line->count(), std::size_t{4});
  QCOMPARE(line->at(0, {}), (Vec3{0, 1, 1}));
  QCOMPARE(line->at(1, {}), (Vec3{0, 2, 1}));
  QCOMPARE(line->at(3, {}), (Vec3{0, 4, 1}));
  QCOMPARE(lineSeeds({0, 1, 1}, {0, 4, 1}, 1)->at(0, {}), (Vec3{0, 1, 1}));

  const auto plane = planeSeeds({0, 0, 5}, {2, 0, 0}, {0, 3, 0}, {3, 2});
  QCOMPARE(plane->count(), std::size_t{6});
  QCOMPARE(plane->at(1, {}), (Vec3{1, 0, 5}));
  QCOMPARE(plane->at(5, {}), (Vec3{2, 3, 5}));

  // Both ends are met exactly, also where they are far apart.
  for (const double far : {0.3, 1e25, -1.7e308}) {
    const Vec3 away{far, 0.1, -far}, near{0.7, 0.1, 1};
    for (const std::size_t count : {2U, 24U}) {
      const auto out = lineSeeds(near, away, static_cast<std::int64_t>(count)),
                 in = lineSeeds(away, near, static_cast<std::int64_t>(count));
      QVERIFY(out->at(0, {}) == near && out->at(count - 1, {}) == away);
      QVERIFY(in->at(0, {}) == away && in->at(count - 1, {}) == near);
      for (std::size_t n = 0; n < count; ++n) QCOMPARE(in->at(n, {}).y, 0.1);
    }
    const auto box = boxSeeds(near, away, {2, 1, 24});
    QVERIFY(box->at(0, {}) == near);
    QCOMPARE(box->at(box->count() - 1, {}), (Vec3{away.x, near.y, away.z}));
  }
  const auto volume = boxSeeds({0, 0, 0}, {1, 2, 3}, {2, 3, 4});
  QCOMPARE(volume->count(), std::size_t{24});
  QCOMPARE(volume->at(2, {}), (Vec3{0, 1, 0}));
  QCOMPARE(volume->at(23, {}), (Vec3{1, 2, 3}));

  const auto nodes = gridPointSeeds(3, {{1, 0, 2}, {5, 1, 4}}, {2, 1, 3});
  const auto nodeAt = [](int block, const Index3& n) {
    return Vec3{100.0 * block + static_cast<double>(n[0]), static_cast<double>(n[1]),
                static_cast<double>(n[2])};
  };
  QCOMPARE(nodes->count(), std::size_t{6});
  QCOMPARE(nodes->at(0, nodeAt), (Vec3{301, 0, 2}));
  QCOMPARE(nodes->at(2, nodeAt), (Vec3{305, 0, 2}));
  QCOMPARE(nodes->at(5, nodeAt), (Vec3{305, 0, 5}));

  const auto million = boxSeeds({0, 0, 0}, {1, 1, 1}, {10000, 10000, 1000});
  QCOMPARE(million->count(), std::size_t{100000000000});
  QCOMPARE(million->at(99999999999, {}), (Vec3{1, 1, 1}));
}

void TestFlow::seedsAreChecked() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  QVERIFY_EXCEPTION_THROWN(lineSeeds({}, {}, 0), Invalid);
  QVERIFY_EXCEPTION_THROWN(lineSeeds({nan, 0, 0}, {}, 3), Invalid);
  QVERIFY_EXCEPTION_THROWN(pointSeeds({{0, nan, 0}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(planeSeeds({}, {}, {}, {3, -1}), Invalid);
  const std::int64_t huge = std::int64_t{1} << 40;
  QVERIFY_EXCEPTION_THROWN(boxSeeds({}, {}, {huge, huge, huge}), Invalid);
  QVERIFY_EXCEPTION_THROWN(gridPointSeeds(0, {{0, 0, 0}, {5, 5, 5}}, {0, 1, 1}), Invalid);
  QVERIFY_EXCEPTION_THROWN(gridPointSeeds(0, {{0, 0, 0}, {5, 0, 5}}, {1, 1, 1}), Invalid);
}

void TestFlow::terminationCodesAreStable() {
  QCOMPARE(std::string(nameOf(Termination::OutOfDomain)), std::string("out-of-domain"));
  QCOMPARE(static_cast<int>(Termination::OutOfDomain), 1);
  QCOMPARE(std::string(nameOf(Termination::SeedOutside)), std::string("seed-outside"));
  QCOMPARE(static_cast<int>(Termination::NotFinite), 9);
  QCOMPARE(std::string(nameOf(Termination::NotFinite)), std::string("not-finite"));
}

QTEST_APPLESS_MAIN(TestFlow)
#include "tst_flow.moc"
